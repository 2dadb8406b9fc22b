import { randomBytes } from 'node:crypto';
import { account, AwsError, region } from '../aws-json.ts';
import { type Database, type SqlValue, transaction } from '../database.ts';
import type { KeySpec, KeyUsage } from './key-spec.ts';

/** The state of a key. `Deleted` is kept to distinguish the ciphertext of a destroyed key from an altered one. */
export type KeyState = 'Enabled' | 'Disabled' | 'PendingDeletion' | 'Deleted';

/** A key in its stored form; times are epoch milliseconds. */
export interface Key {
  id: string;
  arn: string;
  spec: KeySpec;
  usage: KeyUsage;
  state: KeyState;
  description: string;
  created: number;
  deletionAt: number | null;
  /** The alias of a key that `reset` keeps. */
  keptAlias: string | null;
}

/** A backing key: the material of a key or of one of its rotations. */
export interface Material {
  id: string;
  secret: Uint8Array;
}

/** The tables of the key store. The columns of rotations are those of earlier versions, whose files are still read. */
export const keyTables = `
  PRAGMA secure_delete = ON;
  CREATE TABLE IF NOT EXISTS keys (
    id TEXT PRIMARY KEY, arn TEXT NOT NULL, spec TEXT NOT NULL, usage TEXT NOT NULL, state TEXT NOT NULL,
    description TEXT NOT NULL, created INTEGER NOT NULL, deletionAt INTEGER, rotationDays INTEGER, rotatesAt INTEGER,
    keptAlias TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS keys_to_delete ON keys (deletionAt) WHERE deletionAt IS NOT NULL;
  CREATE TABLE IF NOT EXISTS materials (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, keyId TEXT NOT NULL, secret BLOB NOT NULL,
    created INTEGER NOT NULL, rotation TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS materials_of_key ON materials (keyId, seq);
  CREATE TABLE IF NOT EXISTS aliases (name TEXT PRIMARY KEY, keyId TEXT NOT NULL, created INTEGER NOT NULL) STRICT;
`;

const arnPrefix = `arn:aws:kms:${region}:${account}:`;

/** The ARN of a key id (`key/…`) or an alias (`alias/…`). */
export const composeArn = (resource: string): string => arnPrefix + resource;

/**
 * Stores keys, their backing keys and aliases in SQLite; work that is due by the clock is done at the next access.
 */
export class KeyStore {
  readonly #database: Database;
  readonly #now: () => number;

  /**
   * Creates a store.
   * @param now returns epoch milliseconds
   */
  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  #all<T>(sql: string, ...values: SqlValue[]): T[] {
    return this.#database.prepare(sql).all(...values) as T[];
  }

  #one<T>(sql: string, ...values: SqlValue[]): T | undefined {
    return this.#all<T>(sql, ...values)[0];
  }

  #run(sql: string, ...values: SqlValue[]): void {
    this.#database.prepare(sql).run(...values);
  }

  /** Writes a key with its backing key and, for a key that outlives a reset, its alias. */
  create(key: Pick<Key, 'id' | 'spec' | 'usage' | 'description' | 'keptAlias'>, secret: Buffer): Key {
    return transaction(this.#database, () => {
      this.#run(
        `INSERT OR REPLACE INTO keys (id, arn, spec, usage, state, description, created, keptAlias)
         VALUES (?, ?, ?, ?, 'Enabled', ?, ?, ?)`,
        ...[key.id, composeArn(`key/${key.id}`), key.spec, key.usage, key.description, this.#now(), key.keptAlias],
      );
      this.addMaterial(key.id, secret);
      if (key.keptAlias !== null)
        this.#run('INSERT OR REPLACE INTO aliases VALUES (?, ?, ?)', key.keptAlias, key.id, this.#now());
      return this.find(key.id);
    });
  }

  /** The row of an id, tombstones included. */
  row(id: string): Key | undefined {
    this.#expire();
    return this.#one<Key>('SELECT * FROM keys WHERE id = ?', id);
  }

  /** A key by its id or ARN. @throws AwsError NotFoundException */
  find(reference: string): Key {
    const key = this.row(
      reference.startsWith(composeArn('key/')) ? reference.slice(composeArn('key/').length) : reference,
    );
    if (key === undefined || key.state === 'Deleted') {
      throw new AwsError('NotFoundException', `Key '${reference}' does not exist`);
    }
    return key;
  }

  /** A key by its id, ARN, alias name or alias ARN. @throws AwsError NotFoundException */
  resolve(reference: string): Key {
    const name = reference.startsWith(composeArn('alias/')) ? reference.slice(arnPrefix.length) : reference;
    if (!name.startsWith('alias/')) return this.find(reference);
    this.#expire();
    const alias = this.#one<{ keyId: string }>('SELECT * FROM aliases WHERE name = ?', name);
    if (alias === undefined) throw new AwsError('NotFoundException', `Alias ${composeArn(name)} is not found.`);
    return this.find(alias.keyId);
  }

  /**
   * A key that can be used for cryptography at present.
   * @throws AwsError by its state or usage
   */
  usable(key: Key, usage: KeyUsage): Key {
    if (key.state === 'Disabled') throw new AwsError('DisabledException', `${key.arn} is disabled.`);
    if (key.state !== 'Enabled') {
      throw new AwsError('KMSInvalidStateException', `${key.arn} is pending deletion.`);
    }
    if (key.usage !== usage) {
      throw new AwsError('InvalidKeyUsageException', `${key.arn} key usage is ${key.usage} which is not valid here.`);
    }
    return key;
  }

  /** Stores the mutable members of a key. */
  update(key: Key): void {
    this.#run('UPDATE keys SET state = ?, deletionAt = ? WHERE id = ?', key.state, key.deletionAt, key.id);
  }

  /** Makes a new current backing key; the earlier ones still decrypt their ciphertexts. */
  addMaterial(keyId: string, secret: Buffer): void {
    const id = randomBytes(32).toString('hex');
    const values = [id, keyId, secret, this.#now()];
    this.#run('INSERT INTO materials (id, keyId, secret, created) VALUES (?, ?, ?, ?)', ...values);
  }

  /** The current backing key. */
  material(keyId: string): Material {
    const found = this.#one<Material>('SELECT * FROM materials WHERE keyId = ? ORDER BY seq DESC LIMIT 1', keyId);
    if (found === undefined) throw new AwsError('KMSInternalException', `Key '${keyId}' has no material.`, 500);
    return found;
  }

  /** Finds a backing key by its id. */
  materialById(keyId: string, id: string): Material | undefined {
    return this.#one<Material>('SELECT * FROM materials WHERE keyId = ? AND id = ?', keyId, id);
  }

  /**
   * Removes all but the kept keys, which are enabled again and keep their material: their ciphertexts stay readable.
   */
  reset(): void {
    transaction(this.#database, () => {
      const kept = "SELECT id FROM keys WHERE keptAlias IS NOT NULL AND state <> 'Deleted'";
      this.#database.exec(`
        DELETE FROM materials WHERE keyId NOT IN (${kept});
        DELETE FROM aliases;
        DELETE FROM keys WHERE id NOT IN (${kept});
        UPDATE keys SET state = 'Enabled', deletionAt = NULL;
        INSERT INTO aliases SELECT keptAlias, id, created FROM keys;
      `);
    });
  }

  /** Destroys the keys whose waiting period is over. */
  #expire(): void {
    const due = this.#all<{ id: string }>('SELECT id FROM keys WHERE deletionAt <= ?', this.#now());
    if (due.length === 0) return;
    transaction(this.#database, () => {
      for (const { id } of due) {
        for (const table of ['materials', 'aliases']) this.#run(`DELETE FROM ${table} WHERE keyId = ?`, id);
        this.#run("UPDATE keys SET state = 'Deleted', deletionAt = NULL WHERE id = ?", id);
      }
    });
    // The write-ahead log still contains the pages with the material, so it is merged into the database.
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }
}
