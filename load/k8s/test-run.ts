import { k6Version } from '../install-k6.ts';

/** What a distributed run needs to know. All else stands in the manifest, for people to change there. */
export interface TestRunOptions {
  readonly scenario: string;
  /** k6 processes, each with its part of the keys. */
  readonly parallelism: number;
  /** Environment variables that the target asks for, all taken from one Secret. */
  readonly variables: readonly string[];
  /** A claim that all pods may write to, for the raw output; without one, verdicts are in the pods' logs only. */
  readonly results?: string | undefined;
}

/** By digest, because a tag can be moved: the digest changes with the version. */
const k6Image = `grafana/k6:${k6Version}@sha256:9bd01d6941fca969cb61bb57d2da5ee9b385fe2aa8881df3798c196564d6ace6`;

/** One process drives some 150 keys at 9 requests per second with less than this. */
const resources = {
  requests: { cpu: '1', memory: '512Mi' },
  limits: { cpu: '2', memory: '2Gi' },
} as const;

/**
 * A TestRun of the k6-operator (k6.io/v1alpha1). k6 gives every key to one process only, because a key belongs to one VU and
 * VUs are divided among execution segments. `separate` puts every pod on a node of its own, so that none slows another.
 */
export function testRun({ scenario, parallelism, variables, results }: TestRunOptions) {
  const env = [
    // Kubernetes itself fills in $(POD_NAME) below, so that no two pods write the same file.
    ...(results === undefined ? [] : [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }]),
    ...variables.map((name) => ({ name, valueFrom: { secretKeyRef: { name: 'partnerkit-load', key: name } } })),
  ];
  const out = results === undefined ? '' : ' --out json=/results/$(POD_NAME).json';
  return {
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata: { name: `partnerkit-${scenario}` },
    spec: {
      parallelism,
      separate: true,
      arguments: `--no-usage-report${out}`,
      script: { configMap: { name: `partnerkit-${scenario}`, file: `${scenario}.tar` } },
      runner: {
        image: k6Image,
        resources,
        securityContext: { runAsNonRoot: true, runAsUser: 12345, runAsGroup: 12345, fsGroup: 12345 },
        ...(env.length > 0 && { env }),
        ...(results !== undefined && {
          volumes: [{ name: 'results', persistentVolumeClaim: { claimName: results } }],
          volumeMounts: [{ name: 'results', mountPath: '/results' }],
        }),
      },
    },
  };
}
