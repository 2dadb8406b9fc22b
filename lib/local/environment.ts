import { randomBytes } from 'node:crypto';

import {
  makeClientId,
  ENVIRONMENT_KEY_PREFIX,
  environmentIdOf,
  environmentKeyFrom,
  newEnvironment,
} from '../../functions/kernel/authentication/api-key.ts';
import { composeKey } from '../../functions/kernel/authentication/secret-key.ts';
import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import { newUlid } from '../../functions/kernel/ids.ts';
import { acceptConflict, applyWork } from '../../functions/kernel/storage/background.ts';
import { environments } from '../../functions/kernel/storage/environment.ts';
import { Unit } from '../../functions/kernel/storage/unit.ts';
import { keptSigningKeys } from '../../functions/kernel/tokens/keys.ts';
import type { DataFolder } from './data-folder.ts';
import type { Kept } from './initial-rows.ts';

/** The credentials of the local environment, which stay the same after a restart or reset. */
export interface LocalEnvironment {
  id: string;
  ulid: string;
  clientId: string;
  apiKey: string;
  secret: string;
}

/** The contact of the local environment, whose mails (about disabled endpoints, for example) are captured. */
const LOCAL_CONTACT = 'developer@gatehouse.example';

/**
 * The fixed key of an ephemeral service, so that tests and `.env` files can contain it. It is not valid for any other
 * service.
 */
const FIXED = { ulid: '01K0G000000000000000000000', secret: 'LocalEphemeralKey'.padEnd(43, '0') };

/**
 * Settings for local use: only the developer uses the service, so no attacker could have sent them an authorization URL.
 */
const SETTINGS = {
  pipes: { authorization_start: 'redirect' },
  connect: { registration: 'any' },
  agents: { registrations: { anonymous: true, service_auth: true, identity_assertion: true, claim_uri: 'hosted' } },
};

/** The environment of a data folder, which is stored there and created with the folder. */
export function readEnvironment(folder: DataFolder): LocalEnvironment {
  const kept = folder.path === undefined ? JSON.stringify(FIXED) : folder.read('environment');
  const { ulid, secret } = (kept === undefined ? fresh() : JSON.parse(kept)) as typeof FIXED;
  if (folder.path !== undefined && kept === undefined) folder.remember('environment', JSON.stringify({ ulid, secret }));
  const id = environmentIdOf(ulid);
  return {
    id,
    ulid,
    secret,
    clientId: makeClientId(id),
    apiKey: composeKey(ENVIRONMENT_KEY_PREFIX, ulid, secret).value,
  };
}

/** The secret is 32 random bytes in hex, cut to the length of a key's secret: 172 bits. */
const fresh = (): typeof FIXED => ({ ulid: newUlid(), secret: randomBytes(32).toString('hex').slice(0, 43) });

/** Settings of an environment whose data is kept: people are found by name in the console. Tests have the default. */
const KEPT_SETTINGS = { ...SETTINGS, search: { users: true } };

/** Writes the environment and its key if they do not exist. @param isKept True if the data stays after the service has stopped */
export async function makeEnvironment({ ulid, id, secret }: LocalEnvironment, isKept = false): Promise<void> {
  const key = environmentKeyFrom(composeKey(ENVIRONMENT_KEY_PREFIX, ulid, secret), id, 'Local key');
  const settings = isKept ? KEPT_SETTINGS : SETTINGS;
  for (const writes of [[newEnvironment('Local', ulid, LOCAL_CONTACT, settings, true).write], key.writes]) {
    const unit = new Unit(id, systemActor);
    unit.stage(writes);
    acceptConflict(await unit.commit(), 'the row exists already');
  }
  await makePlatform(id);
}

/**
 * Makes the environment of a data folder from before there were platforms one, as that of a new folder is. If the developer has decided
 * (`npm run environments -- update ID --platform off`), it stays as it is.
 */
const makePlatform = (id: string): Promise<void> =>
  applyWork(id, systemActor, async (unit) => {
    const environment = await environments.get(id, id);
    if (environment === undefined || environment.isPlatform !== undefined) return;
    unit.stage(environments.revise(environment, { isPlatform: true }).write);
  });

/**
 * Reads the keys that sign the environment's access tokens, which a reset keeps like the API key: an application that
 * cached them continues without a restart, and a test does not wait for new ones.
 */
export async function keepSigningKeys({ id }: LocalEnvironment): Promise<Kept> {
  const { kids, writes } = await keptSigningKeys(id).catch(() => ({ kids: [], writes: [] }));
  const restore = async (): Promise<void> => {
    const unit = new Unit(id, systemActor);
    unit.stage(writes);
    acceptConflict(await unit.commit(), 'the keys exist already');
  };
  return { id: kids.join(' '), restore };
}
