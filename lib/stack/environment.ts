import { Fn } from 'aws-cdk-lib';

import type { Topology } from '../topology/model.ts';
import { registrableDomain } from '../topology/registrable-domain.ts';
import type { Data } from './data.ts';
import type { Queues } from './queues.ts';
import { makeMailSet } from './names.ts';
import type { StageSettings } from './settings.ts';

/** The input of {@link variableValues}. */
export interface Known {
  topology: Topology;
  settings: StageSettings;
  data: Data;
  busName: string;
  queues: Queues;
  /** The public address of the API. */
  baseUrl: () => string;
  /** The public address of the console; empty for a stage without it. */
  consoleUrl: () => string;
  /** The digests of CloudFront's secret; empty without CloudFront. */
  edgeDigests: () => string;
}

const readTableName = (arn: string): string => Fn.select(1, Fn.split('/', arn));

const readBucketName = (arn: string): string => Fn.select(5, Fn.split(':', arn));

/** The value of every environment variable that a function of the stage may have. */
export function variableValues({ topology, settings, data, busName, queues, baseUrl, consoleUrl, edgeDigests }: Known) {
  const tables = { records: () => readTableName(data.recordsTable()), keys: () => readTableName(data.keyTable()) };
  const signingKeys = { evidence: data.evidenceKey };
  const values: Readonly<Record<string, () => string>> = {
    GATEHOUSE_STAGE: () => settings.stage,
    GATEHOUSE_LOG_LEVEL: () => settings.logLevel,
    GATEHOUSE_BUS: () => busName,
    GATEHOUSE_KMS_KEY: data.kmsKey,
    GATEHOUSE_BASE_URL: baseUrl,
    GATEHOUSE_CONSOLE_URL: consoleUrl,
    GATEHOUSE_CONSOLE_NETWORKS: () => settings.consoleNetworks ?? '',
    // The API's own host name is directly below a public suffix of AWS, so it shares its site with no other host.
    GATEHOUSE_REGISTRABLE_DOMAIN: () => (settings.domain === undefined ? '' : registrableDomain(settings.domain)),
    GATEHOUSE_EDGE_DIGESTS: edgeDigests,
    GATEHOUSE_MAIL_FROM: () => settings.mailFrom,
    GATEHOUSE_MAIL_SET: () => makeMailSet(settings.stage),
    GATEHOUSE_SIGNATURE_HEADER: () => settings.signatureHeader,
    GATEHOUSE_EVENT_HORIZON_MS: () => '5000',
    GATEHOUSE_EVENT_RETENTION_DAYS: () => String(settings.eventRetentionDays),
    GATEHOUSE_OPERATION_METRICS: () => (settings.operationMetrics ? 'on' : 'off'),
    GATEHOUSE_WRITER_EPOCH: () => String(settings.writerEpoch),
    GATEHOUSE_CREDENTIAL_CACHE_MS: () => '5000',
    GATEHOUSE_EGRESS_ALLOW: () => settings.egressAllow,
    GATEHOUSE_DNS_SERVER: () => '',
    GATEHOUSE_ADDRESS_LIMITS: () => 'on',
    GATEHOUSE_OBJECT_LOCK: () => (settings.protect ? 'on' : 'off'),
    GATEHOUSE_FIRST_KEY_SECRET: data.firstKeySecret,
    ...Object.fromEntries(topology.tables.map(({ name, variable }) => [variable, tables[name]])),
    ...Object.fromEntries(topology.signingKeys.map(({ name, variable }) => [variable, signingKeys[name]])),
    ...Object.fromEntries(
      topology.buckets.map(({ name, variable }) => [variable, () => readBucketName(data.bucket(name))]),
    ),
    ...Object.fromEntries(
      topology.queues.flatMap(({ name, variable }) =>
        variable === undefined ? [] : [[variable, () => queues.of(name).queueUrl] as const],
      ),
    ),
  };
  /**
   * The environment variables of a function.
   * @throws Error for a variable for which the stack has no value
   */
  return (variables: readonly string[]): Record<string, string> =>
    Object.fromEntries(
      variables.map((variable) => {
        const value = values[variable];
        if (value === undefined) throw new Error(`lib/stack/environment.ts has no value for ${variable}`);
        return [variable, value()];
      }),
    );
}
