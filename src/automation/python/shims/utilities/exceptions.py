from errors import AbortRequest, AbortScript, AbortTransaction, PermissionsViolation, RQWorkerNotRunningException
