{{- define "cadastre.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "cadastre.selector" -}}
app.kubernetes.io/name: cadastre
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "cadastre.labels" -}}
{{ include "cadastre.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "cadastre.check" -}}
{{- if and (gt (int .Values.replicas) 1) (not .Values.existingSecret) -}}
{{- fail "replicas above 1 need a database: set existingSecret to a secret with DATABASE_URL and SECRET_KEY." -}}
{{- end -}}
{{- if and (gt (int .Values.replicas) 1) .Values.persistence.enabled (ne .Values.persistence.accessMode "ReadWriteMany") -}}
{{- fail "replicas above 1 share the uploaded files: set persistence.accessMode to ReadWriteMany, or persistence.enabled to false if no files are uploaded or settings.MEDIA_ROOT names a bucket." -}}
{{- end -}}
{{- if and .Values.serviceMonitor.enabled (not .Values.serviceMonitor.tokenSecret) -}}
{{- fail "serviceMonitor needs tokenSecret: /metrics asks for a token." -}}
{{- end -}}
{{- end -}}
