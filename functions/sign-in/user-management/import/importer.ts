import { withoutNulls } from '../../../kernel/http/nulls.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { Failure } from '../../../kernel/errors.ts';
import { decodeUtf8, JsonError, parseJson } from '../../../kernel/json.ts';
import { type ImportKind, lineFailure } from '../../../kernel/import.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { underErasure } from '../../../kernel/storage/erasure.ts';
import { isTransient } from '../../../kernel/storage/faults.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { Unit } from '../../../kernel/storage/unit.ts';
import { findOrganization, findOrganizationByExternalId } from '../../../tenancy/organizations/public.ts';
import { findUser, getUserByEmail, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import {
  type Known,
  nothingKnown,
  stageImportedMembership,
  stageImportedOrganization,
  stageImportedUser,
} from './stage.ts';
import { type ImportedMembership, type ImportedOrganization, type ImportedUser, ImportLine } from './schema.ts';

/** The result of a line: created, existing (and unchanged), or rejected with a reason. */
export type LineOutcome = { kind: 'made' | 'there' } | { kind: 'rejected'; message: string };

/** Maximum number of writes in a batch, below the limit of a transaction for any lines. */
const MOST_WRITES = 60;
/**
 * The number of writes of a user (address, external_id, password, event), followed by that of a membership with its event.
 */
const USER_WRITES = 5;
const MEMBERSHIP_WRITES = 4;
/** Maximum number of memberships that are written in their user's transaction; further ones follow one by one. */
const WITH_USER = 10;

/** Imports lines of a file into an environment. */
export interface Importer {
  /**
   * Imports some lines of the file, in their order. Many users of one call are written in one transaction; if that fails,
   * one by one. Lines that refer to each other's records must be in one call or in later ones.
   * @throws StorageUnavailable and the like if the table rejects more writes: the same lines can be passed again
   */
  take: (lines: readonly Uint8Array[]) => Promise<LineOutcome[]>;
}

/**
 * @param isSilent true if the imported records emit no events
 * @param kinds the kinds of lines other than users, organizations and memberships, by `object`
 */
export function importer(
  environmentId: string,
  isSilent: boolean,
  kinds: ReadonlyMap<string, ImportKind> = new Map(),
): Importer {
  const run: Run = { environmentId, isSilent, known: nothingKnown() };
  const read = (line: Uint8Array): Read => readLine(line, kinds);
  return {
    take: async (lines) => {
      const outcomes: LineOutcome[] = [];
      for (const batch of splitBatches(lines.map(read))) {
        if (batch.length > 1 && (await takeTogether(run, batch))) outcomes.push(...batch.map(() => MADE));
        else for (const line of batch) outcomes.push(await importSingleLine(run, line));
      }
      return outcomes;
    },
  };
}

interface Run {
  environmentId: string;
  isSilent: boolean;
  known: Known;
}

type Read =
  | ImportLine
  | { object: 'rejected'; message: string }
  /** A line of another kind, parsed by its schema. */
  | { object: 'further'; kind: ImportKind; line: never };

const MADE: LineOutcome = { kind: 'made' };
const THERE: LineOutcome = { kind: 'there' };

/**
 * Parses a line, or returns the reason why it is invalid. Input that the API rejects is rejected here too: a file in
 * another encoding than UTF-8 would fill the environment with wrong names.
 */
function readLine(line: Uint8Array, kinds: ReadonlyMap<string, ImportKind>): Read {
  let value: unknown;
  try {
    value = parseJson(decodeUtf8(line));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { object: 'rejected', message: error.message.replace(/^The body /, '') };
  }
  // Exports contain null for missing values.
  const kind = kinds.get(readKind(value));
  const schema = kind?.schema ?? ImportLine;
  const parsed = schema.safeParse(withoutNulls(schema, value));
  if (parsed.success) {
    return kind === undefined ? (parsed.data as ImportLine) : { object: 'further', kind, line: parsed.data as never };
  }
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return { object: 'rejected', message: issues.slice(0, 3).join('; ') };
}

/** The `object` of a line; empty if it has none. */
const readKind = (value: unknown): string => {
  const object = (value as { object?: unknown } | null)?.object;
  return typeof object === 'string' ? object : '';
};

/** Groups users that fit into one transaction; every other line is a group of its own. */
function splitBatches(lines: readonly Read[]): Read[][] {
  const batches: Read[][] = [];
  let room = 0;
  for (const line of lines) {
    const weight = line.object === 'user' ? USER_WRITES + line.memberships.length * MEMBERSHIP_WRITES : MOST_WRITES;
    const last = batches.at(-1);
    if (last !== undefined && weight <= room) {
      last.push(line);
      room -= weight;
    } else {
      batches.push([line]);
      room = MOST_WRITES - weight;
    }
  }
  return batches;
}

/**
 * Writes new users in one transaction.
 * @returns false if it failed because of any of them
 */
async function takeTogether(run: Run, batch: readonly Read[]): Promise<boolean> {
  const unit = new Unit(run.environmentId, systemActor);
  if (run.isSilent) unit.suppressEvents();
  try {
    const ids = batch.flatMap((line) => (line.object === 'user' ? (line.id ?? []) : []));
    if (await isAnyErased(run, 'user', ids)) return false;
    for (const line of batch) {
      if (line.object !== 'user') return false;
      const { id: userId } = await stageImportedUser(unit, run.environmentId, line);
      await stageMemberships(run, unit, line.memberships, { userId, isChecked: false });
    }
    return (await unit.commit()).kind === 'committed';
  } catch (error) {
    // Other errors are ignored here, because each line is then written separately and has its own error.
    if (isTransient(error)) throw error;
    return false;
  }
}

async function importSingleLine(run: Run, line: Read): Promise<LineOutcome> {
  if (line.object === 'rejected') return { kind: 'rejected', message: line.message };
  try {
    if (line.object === 'user') return await takeUser(run, line);
    if (line.object === 'organization') return await takeOrganization(run, line);
    if (line.object === 'further') {
      const { kind, line: wanted } = line;
      return (await apply(run, (unit) => kind.take(unit, run.environmentId, wanted))) ? MADE : THERE;
    }
    return (await takeMembership(run, line.user_id, line)) ? MADE : THERE;
  } catch (error) {
    if (isTransient(error) || !(error instanceof Error)) throw error;
    return { kind: 'rejected', message: error instanceof Failure ? formatReason(error) : error.message };
  }
}

const formatReason = ({ message, details }: Failure): string =>
  [message, ...(details.issues ?? []).map((issue) => `${issue.field}: ${issue.message}`)].join(' ');

/** Applies one line. The unit of work may be applied again after a conflict, so `work` reads again. */
async function apply(run: Run, work: (unit: Unit) => Promise<boolean>): Promise<boolean> {
  let isMade = false;
  await applyWork(run.environmentId, systemActor, async (unit) => {
    if (run.isSilent) unit.suppressEvents();
    isMade = await work(unit);
  });
  return isMade;
}

async function takeUser(run: Run, line: ImportedUser): Promise<LineOutcome> {
  const [first, rest] = [line.memberships.slice(0, WITH_USER), line.memberships.slice(WITH_USER)];
  let userId = '';
  let isMade = await apply(run, async (unit) => {
    const found = await findImported(run.environmentId, line);
    if (found === undefined) await rejectErased(run, 'user', line.id);
    const user = found ?? (await stageImportedUser(unit, run.environmentId, line));
    userId = user.id;
    const added = await stageMemberships(run, unit, first, { userId, isChecked: true });
    return found === undefined || added;
  });
  for (const membership of rest) isMade = (await takeMembership(run, userId, membership)) || isMade;
  return isMade ? MADE : THERE;
}

/**
 * Reports whether the data of former holders of some ids is still being erased: new records with these ids would be
 * erased too.
 */
async function isAnyErased({ environmentId }: Run, kind: 'user' | 'organization', ids: string[]): Promise<boolean> {
  const owners = ids.map((id) => ownerKey(kind, id));
  return (await underErasure(environmentId, owners)).size > 0;
}

async function rejectErased(run: Run, kind: 'user' | 'organization', id: string | undefined): Promise<void> {
  if (id === undefined || !(await isAnyErased(run, kind, [id]))) return;
  throw lineFailure(`id: ${id} was deleted, and what belonged to it is still being removed; import it in half an hour`);
}

/** The user of an earlier line: by id, or by address if the line has no id. */
const findImported = (environmentId: string, { id, email }: ImportedUser): Promise<UserRecord | undefined> =>
  id === undefined ? getUserByEmail(environmentId, email) : findUser(environmentId, id);

async function stageMemberships(
  { environmentId, known }: Run,
  unit: Unit,
  lines: readonly ImportedMembership[],
  member: { userId: string; isChecked: boolean },
): Promise<boolean> {
  let isAny = false;
  for (const line of lines) {
    isAny = (await stageImportedMembership(unit, environmentId, member, line, known)) || isAny;
  }
  return isAny;
}

const takeMembership = (run: Run, userId: string, line: ImportedMembership): Promise<boolean> =>
  apply(run, async (unit) => {
    const user = await findUser(run.environmentId, userId);
    if (user === undefined) throw lineFailure(`user_id: there is no user ${userId}`);
    return stageImportedMembership(unit, run.environmentId, { userId, isChecked: true }, line, run.known);
  });

async function takeOrganization(run: Run, line: ImportedOrganization): Promise<LineOutcome> {
  const isMade = await apply(run, async (unit) => {
    if (await isOrganizationThere(run.environmentId, line)) return false;
    await rejectErased(run, 'organization', line.id);
    await stageImportedOrganization(unit, run.environmentId, line);
    return true;
  });
  return isMade ? MADE : THERE;
}

/** Reports whether an organization exists, by its id, or by the caller's own id if the line has none. */
async function isOrganizationThere(
  environmentId: string,
  { id, external_id: own }: ImportedOrganization,
): Promise<boolean> {
  if (id !== undefined) return (await findOrganization(environmentId, id)) !== undefined;
  return typeof own === 'string' && (await findOrganizationByExternalId(environmentId, own)) !== undefined;
}
