# The mock as a container: docker build -t partnerkit . && docker run --read-only --tmpfs /tmp -p 4010:4010 partnerkit
# Base images are pinned by digest, because a tag can be moved: CONTRIBUTING.md says how to take a newer one.
# Debian to build on: the npm package `node`, which the scripts run with, has no build for Alpine's C library.
FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /src
COPY . .
RUN npm install --no-audit --no-fund --no-save && mkdir /packed && npm pack --pack-destination /packed

FROM node:24.21.0-alpine@sha256:be80f76cf40ec8e42b9bec49f60a55e0660f30af58d3e5a25530785b30ea67e2
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /packed/*.tgz /packed/partnerkit.tgz
RUN npm install --no-audit --no-fund --omit=dev /packed/partnerkit.tgz
# The user `node` of the image, by number, so that Kubernetes can tell that it is not root.
USER 1000
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4010/_mock/health').then((r) => process.exit(r.status < 500 ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "node_modules/partnerkit/dist/bin/partnerkit.cjs"]
CMD ["mock", "--host", "0.0.0.0"]
