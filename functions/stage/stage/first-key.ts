import * as z from 'zod';

import {
  makeClientId,
  ENVIRONMENT_KEY_PREFIX,
  environmentIdOf,
  environmentKeyFrom,
  newEnvironment,
} from '../../kernel/authentication/api-key.ts';
import { systemActor } from '../../kernel/authentication/caller.ts';
import { hashOfKey, mintKey } from '../../kernel/authentication/secret-key.ts';
import { newUlid } from '../../kernel/ids.ts';
import { readUlid } from '../../kernel/id-format.ts';
import { log } from '../../kernel/log.ts';
import { environments } from '../../kernel/storage/environment.ts';
import { Unit } from '../../kernel/storage/unit.ts';
import { admitStage, consoleLinkRow, mintConsoleLink } from '../../faces/console/public.ts';

/** The place where the first key is stored for the operator. */
export interface SecretStore {
  read(): Promise<string>;
  write(text: string): Promise<void>;
}

const HandOver = z.object({
  environment_id: z.string(),
  client_id: z.string(),
  api_key: z.string(),
  /** The path of the link for the first operator of the console; absent in the secret of an older deployment. */
  operator_link: z.string().optional(),
});
type HandOver = z.output<typeof HandOver>;

/**
 * Creates the stage's first environment with one API key, unless it exists, and with it the link by which the first operator
 * signs in to the console: for 24 hours, and only until there is an owner. The secret is written before the table, so that
 * a retry after a failure in between finds the key there and creates exactly its records.
 */
export async function provideFirstKey(store: SecretStore): Promise<void> {
  const stored = handOverIn(await store.read());
  const handOver = stored ?? mintHandOver();
  if (stored === undefined) await store.write(JSON.stringify(handOver));
  const { environment_id: environmentId, api_key: value, operator_link: link } = handOver;
  if ((await environments.get(environmentId, environmentId)) !== undefined) return;
  const unit = new Unit(environmentId, systemActor);
  unit.stage(newEnvironment('Default', readUlid(environmentId)).write);
  const minted = { value, hash: hashOfKey(value), lastFour: value.slice(-4) };
  unit.stage(environmentKeyFrom(minted, environmentId, 'First key').writes);
  if (link !== undefined)
    unit.stage(consoleLinkRow(admitStage(), link.split('/').at(-1) ?? '', { role: 'owner', isForFirstOwner: true }));
  // A conflict means that another run of the function was faster.
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
  const { path } = mintConsoleLink();
  return { environment_id: environmentId, client_id: makeClientId(environmentId), api_key: value, operator_link: path };
}
