# Two stages: everything is built in the first, the second holds only what runs. What is built is the same for every processor.
# A release names the digest of its base: --build-arg NODE_IMAGE=node@sha256:…
ARG NODE_IMAGE=node:24-slim
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/api-reference/package.json packages/api-reference/
COPY packages/cli/package.json packages/cli/
COPY packages/clients/package.json packages/clients/
COPY packages/contract/package.json packages/contract/
COPY packages/dashboard/package.json packages/dashboard/
COPY packages/node/package.json packages/node/
COPY packages/server/package.json packages/server/
COPY packages/testkit/package.json packages/testkit/
COPY packages/tracker/package.json packages/tracker/
COPY bench/package.json bench/
COPY rehearsals/package.json rehearsals/
COPY demo/package.json demo/
RUN npm ci
COPY . .
RUN npm run build && node scripts/stage-release.mjs /release

FROM ${NODE_IMAGE}
# Builders that keep a base for another processor would otherwise call it an image for this one.
ARG TARGETARCH
RUN node -e "const is = process.arch.replace('x64', 'amd64'); if ('$TARGETARCH' && is !== '$TARGETARCH') throw Error('The base is for ' + is)"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 SVC_DATA_DIR=/data
RUN install -d -m 0700 -o node -g node /data
WORKDIR /app
COPY --from=build --chown=root:root /release ./
# SVC_WORKERS=<n> runs n processes; auto counts the cores of the machine, not what the container may use of them.
USER node
VOLUME /data
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 4000) + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "packages/server/dist/bin/svc-server.js"]
CMD ["serve"]
