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

/** The kinds of the rows that name deleted records after all work and sweeps, by the id of the record. */
export async function findLeftovers(ids: readonly string[]): Promise<Map<string, string[]>> {
  for (const seconds of [60, 3_600, 86_400]) {
    await advance(seconds);
    await idle();
  }
  const rows = await rowsIn(await environment());
  const lasting = rows.filter((row) => row.expiresAt === undefined && !((row.__edb_e__ as string) in KEPT));
  const texts = lasting.map((row) => [row.__edb_e__ as string, JSON.stringify(row)] as const);
  const found = ids.map((id) => [id, texts.filter(([, text]) => text.includes(id)).map(([kind]) => kind)] as const);
  return new Map(found.filter(([, kinds]) => kinds.length > 0));
}
