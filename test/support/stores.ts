import { closeBlobClient } from '../../functions/kernel/blobs/client.ts';
import { forgetSettings } from '../../functions/kernel/settings.ts';
import { startKeys } from '../../lib/local/keys/server.ts';
import { bucketNameOf, startQueues } from '../../lib/local/queues.ts';
import { buckets, queues, signingKeys } from '../../lib/topology/resources.ts';

/** The object store, the queues and KMS in this process, in memory. */
export interface Stores {
  /** Environment variables for a process that uses the stores. */
  variables: Record<string, string>;
  stop: () => Promise<void>;
}

/** Starts the stores for a table of `startTable()`. */
export async function startStores(): Promise<Stores> {
  const [store, keys] = await Promise.all([
    startQueues(undefined, queues, buckets),
    startKeys({ now: () => Date.now() }),
  ]);
  const symmetric = await keys.ensureKey({ alias: 'alias/test' });
  const signing = await Promise.all(
    signingKeys.map(async ({ name, spec, variable }) => [
      variable,
      (await keys.ensureKey({ alias: `alias/test-${name}`, spec })).arn,
    ]),
  );
  return {
    variables: {
      AWS_ENDPOINT_URL_S3: store.sqs.url,
      AWS_ENDPOINT_URL_SQS: store.sqs.url,
      AWS_ENDPOINT_URL_KMS: keys.url,
      GATEHOUSE_KMS_KEY: symmetric.arn,
      ...(Object.fromEntries(signing) as Record<string, string>),
      ...Object.fromEntries(buckets.map((bucket) => [bucket.variable, bucketNameOf(bucket)])),
      ...Object.fromEntries(
        queues.flatMap(({ name, variable }) =>
          variable === undefined ? [] : [[variable, store.urlOf(name, store.sqs.url)]],
        ),
      ),
    },
    stop: async () => {
      closeBlobClient();
      await Promise.all([store.close(), keys.close()]);
    },
  };
}

/** Sets this process's kernel to use the stores. */
export function useStores(variables: Readonly<Record<string, string>>): void {
  Object.assign(process.env, variables);
  forgetSettings();
  closeBlobClient();
}
