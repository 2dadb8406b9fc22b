import { writeFile } from 'node:fs/promises';

import { advance, call, eventually, idle } from '../../support/service.ts';

export { newOrganization } from '../../support/organizations.ts';

export const HOUR = 3_600;

/** Creates an action whose events only need a target of the type `team`. */
export const defineAction = (action = 'user.signed_in') =>
  call('POST', `/audit_logs/actions/${action}/schemas`, { targets: [{ type: 'team' }, { type: 'user' }] });

/** Records an event. @throws Error if it was not accepted */
export async function record(organizationId: string, changes: Record<string, unknown> = {}): Promise<void> {
  const event = {
    action: 'user.signed_in',
    occurred_at: '2026-11-15T12:00:00.000Z',
    actor: { id: 'user_1', type: 'user', name: 'Ada' },
    targets: [{ id: 'team_1', type: 'team' }],
    context: { location: '192.0.2.1', user_agent: 'test' },
    ...changes,
  };
  const response = await call('POST', '/audit_logs/events', { organization_id: organizationId, event });
  if (response.status !== 200) throw new Error(JSON.stringify(response));
}

/** Records events numbered from `first`, some at a time. */
export async function recordMany(organizationId: string, count: number, first = 0): Promise<void> {
  for (let at = 0; at < count; at += 20) {
    const numbers = Array.from({ length: Math.min(20, count - at) }, (_, n) => first + at + n);
    await Promise.all(numbers.map((n) => record(organizationId, { metadata: { n } })));
  }
}

/** Ends the current hour and seals it: an index that lags may hide the hour from the first check. */
export async function sealHour(): Promise<void> {
  await idle();
  await advance(HOUR + 6 * 60);
  for (let look = 0; look < 2; look += 1) {
    await idle();
    await advance(61);
  }
  await idle();
}

/** An export in a response. */
export interface ExportResponse {
  id: string;
  state: string;
  url: string | null;
}

export const WHOLE_RANGE = { range_start: '2020-01-01T00:00:00.000Z', range_end: '2100-01-01T00:00:00.000Z' };

/** Creates an export and waits until it is ready. */
export async function exported(organizationId: string, filters: Record<string, unknown> = {}): Promise<ExportResponse> {
  // Lists lag longer here than the service waits for them.
  await idle();
  const { body } = await call<ExportResponse>('POST', '/audit_logs/exports', {
    organization_id: organizationId,
    ...WHOLE_RANGE,
    ...filters,
  });
  return eventually(
    async () => (await call<ExportResponse>('GET', `/audit_logs/exports/${body.id}`)).body,
    ({ state }) => state !== 'pending',
    10_000,
  );
}

/** The files of an export and its proof. */
export async function download({ id, url }: ExportResponse): Promise<{ csv: string; proof: string[] }> {
  const { body } = await call<{ url: string }>('GET', `/x/audit_logs/exports/${id}/proof`);
  const [csv, proof] = await Promise.all([fetch(url ?? ''), fetch(body.url)]);
  return { csv: await csv.text(), proof: (await proof.text()).trimEnd().split('\n') };
}

/** Stores the downloaded files as their reader would. */
export async function keep(folder: string, { csv, proof }: { csv: string; proof: string[] }): Promise<string> {
  const file = `${folder}/export.csv`;
  await Promise.all([writeFile(file, csv), writeFile(`${file}.proof`, `${proof.join('\n')}\n`)]);
  return file;
}
