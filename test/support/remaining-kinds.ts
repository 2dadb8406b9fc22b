import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

/** The kinds of rows that may remain after their owner, as `functions/stage/erasure/README.md` lists them with the reasons. */

const root = resolve(import.meta.dirname, '../..');

/** The parts of an entity's schema that say how its rows are removed. */
export interface Schema {
  model: { entity: string };
  attributes: { owner?: { type: unknown; default?: unknown }; expiresAt?: object };
  indexes: object;
}

/** Prints the schemas of all entities of the service. A handler starts its function when it is loaded, and declares no entity. */
const SCRIPT = `
  import { globSync } from 'node:fs';
  for (const file of globSync('functions/**/*.ts')) if (!file.endsWith('/handler.ts')) await import('.//' + file);
  const { declaredSchemas } = await import('./functions/kernel/storage/entity.ts');
  process.stdout.write(JSON.stringify(declaredSchemas()));`;

/** The schemas of all entities of the service, read in a process of its own: this one may have loaded those of tests too. */
export async function loadSchemas(): Promise<Schema[]> {
  const options = { cwd: root, maxBuffer: 1e8 };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', SCRIPT], options);
  return JSON.parse(stdout) as Schema[];
}

/** A kind of rows that may remain. */
export interface Remaining {
  kind: string;
  /** The days until a row has expired; undefined for a row that is removed with an owner of its own. */
  days: number | undefined;
  /** The kind of the deleted record that such a row may name; undefined for any. */
  names: string | undefined;
}

/** The kinds in the tables of the README. */
export function listRemaining(): Remaining[] {
  const text = readFileSync(resolve(root, 'functions/stage/erasure/README.md'), 'utf8');
  return [...text.matchAll(/^\| (`[^|]+`) +\| ([^|]+?) +\| [^|]*[^|\s][^|]*\|$/gm)].flatMap(
    ([, kinds = '', time = '']) => {
      const days = /^(\d+) days?$/.exec(time)?.[1];
      return [...kinds.matchAll(/`([^`]+)`/g)].map(([, kind = '']) => ({
        kind,
        days: days === undefined ? undefined : Number(days),
        names: days === undefined ? time : undefined,
      }));
    },
  );
}

/** The kinds of rows of which a row may remain after its owner and that the list lacks, and those that the list has in vain. */
export function compareRemaining(schemas: readonly Schema[], remaining: readonly Remaining[]): string[] {
  const listed = new Map(remaining.map((each) => [each.kind, each]));
  const faults = schemas.flatMap(({ model: { entity: kind }, attributes: { owner, expiresAt }, indexes }) => {
    const isOwned = 'owned' in indexes && owner?.default !== undefined;
    const found = listed.get(kind);
    listed.delete(kind);
    if (found === undefined)
      return isOwned
        ? []
        : [`${kind} has no owner: add the index ownedIndex, or name it in functions/stage/erasure/README.md`];
    if (isOwned && found.names === undefined) return [`${kind} has an owner and is listed`];
    return found.days !== undefined && expiresAt === undefined ? [`${kind} does not expire`] : [];
  });
  return [...faults, ...[...listed.keys()].map((kind) => `${kind} is listed and is no kind of row`)];
}
