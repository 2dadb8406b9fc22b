import * as kms from '@aws-sdk/client-kms';
import type { Faults } from '../../../lib/local/aws-json.ts';
import { startKeys } from '../../../lib/local/keys/server.ts';
import { atEnd, clientOptions } from '../aws.ts';

/** A client of a local KMS. */
export function findClient(url: string): kms.KMSClient {
  const client = new kms.KMSClient(clientOptions(url));
  atEnd(() => client.destroy());
  return client;
}

/** A KMS of this test, whose clock the test moves. */
export async function start(options: { dataFolder?: string; faults?: Faults } = {}) {
  const clock = { now: Date.parse('2026-01-01T00:00:00Z') };
  const keys = await startKeys({ now: () => clock.now, ...options });
  atEnd(() => keys.close());
  return { keys, clock, client: findClient(keys.url) };
}

/** The id of a new key. */
export async function newKey(client: kms.KMSClient, input: kms.CreateKeyCommandInput = {}): Promise<string> {
  const { KeyMetadata } = await client.send(new kms.CreateKeyCommand(input));
  return KeyMetadata?.KeyId ?? '';
}
