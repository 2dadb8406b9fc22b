import { serveAwsJson } from '../aws-json.ts';
import type { AwsJsonServer, Faults } from '../aws-json.ts';
import { openDatabase } from '../database.ts';
import { encryptionOperations } from './encryption.ts';
import { idOfAlias, keySpecs, newMaterial } from './key-spec.ts';
import type { KeySpec } from './key-spec.ts';
import { KeyStore, keyTables } from './key-store.ts';
import { lifecycleOperations } from './lifecycle.ts';
import { signatureOperations } from './signature.ts';

/** The options of the local KMS. */
export interface KeysOptions {
  /** The folder of `keys.sqlite`, with the key material (mode 0600); in memory if absent. */
  dataFolder?: string | undefined;
  /** Returns the time in epoch milliseconds. */
  now: () => number;
  faults?: Faults;
}

/** A key that exists in every run. */
export interface WantedKey {
  /** The alias `alias/…`, from which the key's id is derived. */
  alias: string;
  /** The key spec; `SYMMETRIC_DEFAULT` by default. */
  spec?: KeySpec;
}

/** A running local KMS. */
export interface Keys extends AwsJsonServer {
  /**
   * Makes the key if it does not exist. Its id, material and alias survive a restart and a reset.
   * @throws Error if the alias names a key of another kind
   */
  ensureKey(wanted: WantedKey): Promise<{ keyId: string; arn: string }>;
  /**
   * Removes all but the ensured keys, which are enabled again. This is permanent: ciphertexts of the removed keys are
   * lost.
   */
  reset(): void;
}

/**
 * Starts a KMS for one machine: the operations that the product and its tests call, in the AWS protocol (`TrentService`),
 * with real cryptography, stored in one SQLite file. Calls are not authenticated, so it only listens on 127.0.0.1.
 */
export async function startKeys({ dataFolder, now, faults }: KeysOptions): Promise<Keys> {
  const database = openDatabase(dataFolder, 'keys.sqlite', keyTables, 'power');
  const store = new KeyStore(database, now);
  const server = await serveAwsJson(
    'TrentService',
    { ...lifecycleOperations(store, now), ...encryptionOperations(store), ...signatureOperations(store) },
    faults,
  );
  return {
    url: server.url,
    run: server.run,
    ensureKey: (wanted) => ensureKey(store, wanted),
    reset: () => store.reset(),
    close: async () => {
      await server.close();
      if (database.isOpen) database.close();
    },
  };
}

async function ensureKey(store: KeyStore, { alias, spec = 'SYMMETRIC_DEFAULT' }: WantedKey) {
  const id = idOfAlias(alias);
  let key = store.row(id);
  if (key === undefined || key.state === 'Deleted') {
    const secret = await newMaterial(spec);
    key = store.create({ id, spec, usage: keySpecs[spec], description: '', keptAlias: alias }, secret);
  }
  if (key.spec !== spec) throw new Error(`${alias} is ${key.spec}, not ${spec}`);
  return { keyId: key.id, arn: key.arn };
}
