import { rowsIn } from '../../kernel/notes/table.ts';
import { advance, idle } from '../../support/service.ts';
import { environment } from '../../support/users.ts';

/**
 * The kinds of rows that may name a deleted record for as long as they exist. Rows with an end of their own, such as events, are not
 * among them.
 */
const KEPT: Readonly<Record<string, string>> = {
  'api-key': 'of a former member: it is not valid, and is erased with the organization',
  invitation: 'the person who has invited; the invitation remains valid',
  'vault-shredding': 'the key of an organization, until it is destroyed',
};

/** The kinds of rows that plan a sweep. */
const PLANS: ReadonlySet<string> = new Set(['erasure', 'authorization-removal', 'work']);
const MOST_HOURS = 40;

/** The kinds of the rows that name deleted records after all work and sweeps, by the id of the record. */
export async function findLeftovers(ids: readonly string[]): Promise<Map<string, string[]>> {
  const environmentId = await environment();
  let rows: Record<string, unknown>[] = [];
  for (let hours = 0; hours < MOST_HOURS; hours += 1) {
    await advance(3_600);
    await idle();
    rows = await rowsIn(environmentId);
    // A schedule runs once for each move of the clock, and leaves rows that a lagging index still shows to its next run.
    if (hours > 0 && !rows.some((row) => PLANS.has(row.__edb_e__ as string))) break;
  }
  const lasting = rows.filter((row) => row.expiresAt === undefined && !((row.__edb_e__ as string) in KEPT));
  const texts = lasting.map((row) => [row.__edb_e__ as string, JSON.stringify(row)] as const);
  const found = ids.map((id) => [id, texts.filter(([, text]) => text.includes(id)).map(([kind]) => kind)] as const);
  return new Map(found.filter(([, kinds]) => kinds.length > 0));
}
