import { randomBytes } from 'node:crypto';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { account, AwsError, region } from '../aws-json.ts';
import { transaction } from '../database.ts';
import type { KeySpec, KeyUsage } from './key-spec.ts';

/** `Deleted` is a tombstone: it distinguishes a destroyed key's ciphertext from an altered one. */
export type KeyState = 'Enabled' | 'Disabled' | 'PendingDeletion' | 'Deleted';

/** A key as stored; times are epoch milliseconds. */
export interface Key {
  id: string;
  arn: string;
  spec: KeySpec;
  usage: KeyUsage;
  state: KeyState;
  description: string;
  created: number;
  deletionAt: number | null;
  rotationDays: number | null;
  rotatesAt: number | null;
  /** The alias of a key that `reset` keeps. */
  keptAlias: string | null;
}

/** One backing key; `rotation` is null for the first. */
export interface Material {
  id: string;
  secret: Uint8Array;
  created: number;
  rotation: 'AUTOMATIC' | 'ON_DEMAND' | null;
}

/** An alias and its key; times are epoch milliseconds. */
export interface Alias {
  name: string;
  keyId: string;
  created: number;
}

/** The tables of the key store. */
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
  CREATE TABLE IF NOT EXISTS tags (
    keyId TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (keyId, name)
  ) STRICT, WITHOUT ROWID;
`;

const arnPrefix = `arn:aws:kms:${region}:${account}:`;
const dayMs = 86_400_000;

/** The ARN of a key id (`key/…`) or an alias (`alias/…`). */
export const makeArn = (resource: string): string => arnPrefix + resource;

/**
 * Stores keys, their backing keys, aliases and tags in SQLite; work that is due by the clock is done at the next
 * access.
 */
export class KeyStore {
  readonly #database: DatabaseSync;
  readonly #now: () => number;

  /** @param now epoch milliseconds */
  constructor(database: DatabaseSync, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  #all<T>(sql: string, ...values: SQLInputValue[]): T[] {
    return this.#database.prepare(sql).all(...values) as T[];
  }

  #one<T>(sql: string, ...values: SQLInputValue[]): T | undefined {
    return this.#all<T>(sql, ...values)[0];
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#database.prepare(sql).run(...values);
  }

  /** Writes a key with its first backing key, tags and, for a key that outlives a reset, its alias. */
  create(
    key: Pick<Key, 'id' | 'spec' | 'usage' | 'description' | 'keptAlias'>,
    secret: Buffer,
    tags: ReadonlyMap<string, string> = new Map(),
  ): Key {
    return transaction(this.#database, () => {
      this.#run(
        `INSERT OR REPLACE INTO keys (id, arn, spec, usage, state, description, created, keptAlias)
         VALUES (?, ?, ?, ?, 'Enabled', ?, ?, ?)`,
        ...[key.id, makeArn(`key/${key.id}`), key.spec, key.usage, key.description, this.#now(), key.keptAlias],
      );
      this.addMaterial(key.id, secret, null);
      this.tag(key.id, tags);
      if (key.keptAlias !== null)
        this.#run('INSERT OR REPLACE INTO aliases VALUES (?, ?, ?)', key.keptAlias, key.id, this.#now());
      return this.find(key.id);
    });
  }

  /** The row of an id, tombstones included. */
  row(id: string): Key | undefined {
    this.#expire();
    const key = this.#one<Key>('SELECT * FROM keys WHERE id = ?', id);
    return key && this.#rotated(key);
  }

  /** A key by its id or ARN. @throws AwsError NotFoundException */
  find(reference: string): Key {
    const key = this.row(reference.startsWith(makeArn('key/')) ? reference.slice(makeArn('key/').length) : reference);
    if (key === undefined || key.state === 'Deleted') {
      throw new AwsError('NotFoundException', `Key '${reference}' does not exist`);
    }
    return key;
  }

  /** A key by its id, ARN, alias name or alias ARN. @throws AwsError NotFoundException */
  resolve(reference: string): Key {
    const name = reference.startsWith(makeArn('alias/')) ? reference.slice(arnPrefix.length) : reference;
    if (!name.startsWith('alias/')) return this.find(reference);
    this.#expire();
    const alias = this.#one<Alias>('SELECT * FROM aliases WHERE name = ?', name);
    if (alias === undefined) throw new AwsError('NotFoundException', `Alias ${makeArn(name)} is not found.`);
    return this.find(alias.keyId);
  }

  /** A key that is ready for cryptography now. @throws AwsError by its state or usage */
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

  /** Every key in order of its id, without tombstones. */
  keys(): Key[] {
    this.#expire();
    return this.#all<Key>("SELECT * FROM keys WHERE state <> 'Deleted' ORDER BY id");
  }

  /** Stores the mutable members of a key. */
  update(key: Key): void {
    this.#run(
      'UPDATE keys SET state = ?, deletionAt = ?, rotationDays = ?, rotatesAt = ? WHERE id = ?',
      ...[key.state, key.deletionAt, key.rotationDays, key.rotatesAt, key.id],
    );
  }

  /** Makes a new current backing key; the earlier ones still decrypt their ciphertexts. */
  addMaterial(keyId: string, secret: Buffer, rotation: Material['rotation']): void {
    const id = randomBytes(32).toString('hex');
    this.#run(
      'INSERT INTO materials (id, keyId, secret, created, rotation) VALUES (?, ?, ?, ?, ?)',
      ...[id, keyId, secret, this.#now(), rotation],
    );
  }

  /** The current backing key. */
  material(keyId: string): Material {
    const found = this.#one<Material>('SELECT * FROM materials WHERE keyId = ? ORDER BY seq DESC LIMIT 1', keyId);
    if (found === undefined) throw new AwsError('KMSInternalException', `Key '${keyId}' has no material.`, 500);
    return found;
  }

  /** A backing key by its own id, or undefined. */
  materialById(keyId: string, id: string): Material | undefined {
    return this.#one<Material>('SELECT * FROM materials WHERE keyId = ? AND id = ?', keyId, id);
  }

  /** The backing keys of a key, oldest first. */
  materials(keyId: string): Material[] {
    return this.#all<Material>('SELECT * FROM materials WHERE keyId = ? ORDER BY seq', keyId);
  }

  /** @throws AwsError AlreadyExistsException */
  createAlias(name: string, keyId: string): void {
    this.#expire();
    if (this.#one('SELECT 1 FROM aliases WHERE name = ?', name) !== undefined) {
      throw new AwsError('AlreadyExistsException', `An alias with the name ${makeArn(name)} already exists`);
    }
    this.#run('INSERT INTO aliases VALUES (?, ?, ?)', name, keyId, this.#now());
  }

  /** @throws AwsError NotFoundException */
  deleteAlias(name: string): void {
    this.#expire();
    const removed = this.#database.prepare('DELETE FROM aliases WHERE name = ?').run(name);
    if (removed.changes === 0) throw new AwsError('NotFoundException', `Alias ${makeArn(name)} is not found.`);
  }

  /** Every alias in order of its name. */
  aliases(): Alias[] {
    this.#expire();
    return this.#all<Alias>('SELECT * FROM aliases ORDER BY name');
  }

  /** Sets tags by name. */
  tag(keyId: string, tags: ReadonlyMap<string, string>): void {
    for (const [name, value] of tags) this.#run('INSERT OR REPLACE INTO tags VALUES (?, ?, ?)', keyId, name, value);
  }

  /** The tags of a key in order of their name. */
  tags(keyId: string): { name: string; value: string }[] {
    return this.#all('SELECT name, value FROM tags WHERE keyId = ? ORDER BY name', keyId);
  }

  /**
   * Removes all but the kept keys, which are enabled again and keep their material: their ciphertexts stay readable.
   */
  reset(): void {
    transaction(this.#database, () => {
      const kept = "SELECT id FROM keys WHERE keptAlias IS NOT NULL AND state <> 'Deleted'";
      this.#database.exec(`
        DELETE FROM materials WHERE keyId NOT IN (${kept});
        DELETE FROM tags;
        DELETE FROM aliases;
        DELETE FROM keys WHERE id NOT IN (${kept});
        UPDATE keys SET state = 'Enabled', deletionAt = NULL, rotationDays = NULL, rotatesAt = NULL;
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
        for (const table of ['materials', 'aliases', 'tags']) this.#run(`DELETE FROM ${table} WHERE keyId = ?`, id);
        this.#run("UPDATE keys SET state = 'Deleted', deletionAt = NULL WHERE id = ?", id);
      }
    });
    // The write-ahead log still holds the pages with the material, so it is merged into the database.
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /** Rotates an enabled key whose period is over: once, regardless of the number of missed periods. */
  #rotated(key: Key): Key {
    if (key.state !== 'Enabled' || key.rotationDays === null || key.rotatesAt === null || key.rotatesAt > this.#now()) {
      return key;
    }
    const next = { ...key, rotatesAt: this.#now() + key.rotationDays * dayMs };
    transaction(this.#database, () => {
      this.addMaterial(key.id, randomBytes(32), 'AUTOMATIC');
      this.update(next);
    });
    return next;
  }
}
