import { beforeEach, expect, test } from '@jest/globals';

import { newOrganization } from '../../support/organizations.ts';
import { call, idle, reset } from '../../support/service.ts';
import { autonomous, newBlueprint, readState } from './support.ts';

const SESSIONS = 10_000;
const AT_ONCE = 32;

beforeEach(() => reset({ calm: true }));

interface Page {
  data: unknown[];
  list_metadata: { after: string | null };
}

/** Counts the events of a name in all pages; those between other events can be short or empty. */
async function countEvents(name: string): Promise<number> {
  let count = 0;
  for (let after: string | null | undefined; after !== null;) {
    const cursor: string = after === undefined ? '' : `&after=${after}`;
    const { body } = await call<Page>('GET', `/events?events=${name}&limit=100${cursor}`);
    count += body.data.length;
    after = body.list_metadata.after;
  }
  return count;
}

test('10,000 sessions are invalid at the next validation after their blueprint was deleted, and a worker removes their rows', async () => {
  const organizationId = await newOrganization();
  const [id, other] = [await newBlueprint(), await newBlueprint()];
  const kept = (await autonomous(other, organizationId)).body;
  const tokens: string[] = [];
  for (let at = 0; at < SESSIONS; at += AT_ONCE) {
    const size = Math.min(AT_ONCE, SESSIONS - at);
    const minted = await Promise.all(Array.from({ length: size }, () => autonomous(id, organizationId)));
    tokens.push(...minted.map(({ body }) => body.access_token));
  }
  expect(tokens).toHaveLength(SESSIONS);
  const sample = tokens.filter((_, at) => at % 100 === 0);
  await call('POST', '/x/agents/stop', { target: 'agent_blueprint', target_id: id, reason: 'Incident' });
  const states = await Promise.all(sample.map((token) => readState(id, token)));
  expect(new Set(states)).toEqual(new Set(['session_revoked']));
  expect(await readState(other, kept.access_token)).toBe('valid');
  await call('DELETE', `/agents/blueprints/${id}`);
  for (let waited = 0; waited < 20; waited += 1) {
    try {
      await idle();
      break;
    } catch {
      // The worker needs longer for 10,000 sessions than one call of `idle` waits.
    }
  }
  const listed = await call<{ data: unknown[] }>('GET', `/agents/sessions?agent_blueprint_id=${id}`);
  expect(listed.body.data).toEqual([]);
  expect(await countEvents('agent.instance.deleted')).toBe(1);
}, 1_800_000);
