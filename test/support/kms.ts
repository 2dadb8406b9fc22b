import { forgetSettings } from '../../functions/kernel/settings.ts';
import { startKeys } from '../../lib/local/keys/server.ts';
import { topology } from '../../lib/topology/index.ts';

/** A KMS of this test, which this process's kernel uses. */
export interface TestKms {
  url: string;
  stop: () => Promise<void>;
}

/**
 * Starts a KMS with the stage's keys.
 * @param now returns its time, in milliseconds since the epoch
 */
export async function startKms(now: () => number = Date.now): Promise<TestKms> {
  const keys = await startKeys({ now });
  const [stageKey, ...signingKeys] = await Promise.all([
    keys.ensureKey({ alias: 'alias/test' }),
    ...topology.signingKeys.map(({ name, spec }) => keys.ensureKey({ alias: `alias/test-${name}`, spec })),
  ]);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_KMS: keys.url,
    GATEHOUSE_KMS_KEY: stageKey.arn,
    ...Object.fromEntries(topology.signingKeys.map(({ variable }, at) => [variable, signingKeys[at]?.arn])),
  });
  forgetSettings();
  return { url: keys.url, stop: () => keys.close() };
}
