import { OPERATORS_ENVIRONMENT_ID } from '../../functions/kernel/authentication/environment-id.ts';
import { operatorGrant } from './console.ts';
import { call, eventually, idle } from './service.ts';

const OPERATORS_ORGANIZATION = 'org_00000000000000000000000001';

/** The files of an export of the operators' log: the CSV, and the lines of its proof. */
export async function exportOperatorsLog(): Promise<{ csv: string; proof: string[] }> {
  await idle();
  const apiKey = await operatorGrant(['operators'], { environmentId: OPERATORS_ENVIRONMENT_ID });
  const range = { range_start: '2020-01-01T00:00:00.000Z', range_end: '2100-01-01T00:00:00.000Z' };
  const body = { organization_id: OPERATORS_ORGANIZATION, ...range };
  const made = await call('POST', '/audit_logs/exports', body, { apiKey });
  if (made.status !== 201) throw new Error(`The export got ${made.status}: ${JSON.stringify(made.body)}`);
  const path = `/audit_logs/exports/${String(made.body.id)}`;
  const { url } = await eventually(
    async () => (await call<{ state: string; url: string }>('GET', path, undefined, { apiKey })).body,
    ({ state }) => state !== 'pending',
    10_000,
  );
  const { body: proved } = await call<{ url: string }>('GET', `/x${path}/proof`, undefined, { apiKey });
  const [csv, proof] = await Promise.all([fetch(url), fetch(proved.url)]);
  return { csv: await csv.text(), proof: (await proof.text()).trimEnd().split('\n') };
}

/** The lines of the operators' log as the CSV of an export. */
export const readOperatorsLog = async (): Promise<string[]> =>
  (await exportOperatorsLog()).csv.trimEnd().split('\n').slice(1);
