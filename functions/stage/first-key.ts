import * as z from 'zod';

import {
  makeClientId,
  ENVIRONMENT_KEY_PREFIX,
  environmentIdOf,
  environmentKeyFrom,
  newEnvironment,
} from '../kernel/authentication/api-key.ts';
import { systemActor } from '../kernel/authentication/caller.ts';
import { hashOfKey, mintKey } from '../kernel/authentication/secret-key.ts';
import { newUlid } from '../kernel/ids.ts';
import { readUlid } from '../kernel/id-format.ts';
import { log } from '../kernel/log.ts';
import { environments } from '../kernel/storage/environment.ts';
import { Unit } from '../kernel/storage/unit.ts';

/** The place where the first key is stored for the operator. */
export interface SecretStore {
  read(): Promise<string>;
  write(text: string): Promise<void>;
}

const HandOver = z.object({ environment_id: z.string(), client_id: z.string(), api_key: z.string() });
type HandOver = z.output<typeof HandOver>;

/**
 * Creates the stage's first environment with one API key, unless it exists. The secret is written before the table, so that
 * a retry after a failure in between finds the key there and creates exactly its records.
 */
export async function provideFirstKey(store: SecretStore): Promise<void> {
  const held = handOverIn(await store.read());
  const handOver = held ?? mintHandOver();
  if (held === undefined) await store.write(JSON.stringify(handOver));
  const { environment_id: environmentId, api_key: value } = handOver;
  if ((await environments.get(environmentId, environmentId)) !== undefined) return;
  const unit = new Unit(environmentId, systemActor);
  unit.stage(newEnvironment('Default', readUlid(environmentId)).write);
  const minted = { value, hash: hashOfKey(value), lastFour: value.slice(-4) };
  unit.stage(environmentKeyFrom(minted, environmentId, 'First key').write);
  // A conflict means that another run was faster.
  const { kind } = await unit.commit();
  log.info('first environment', { environment_id: environmentId, outcome: kind });
}

/** The stored key; undefined for the placeholder with which the secret was created. */
function handOverIn(text: string): HandOver | undefined {
  const parsed = HandOver.safeParse(JSON.parse(text === '' ? '{}' : text));
  return parsed.success ? parsed.data : undefined;
}

function mintHandOver(): HandOver {
  const ulid = newUlid();
  const environmentId = environmentIdOf(ulid);
  const { value } = mintKey(ENVIRONMENT_KEY_PREFIX, ulid);
  return { environment_id: environmentId, client_id: makeClientId(environmentId), api_key: value };
}
