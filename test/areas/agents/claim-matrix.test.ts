import { beforeEach, expect, test } from '@jest/globals';

import { newOrganization } from '../../support/organizations.ts';
import { advance, call, reset } from '../../support/service.ts';
import { addMembership } from '../../support/users.ts';
import { ADA, begin, complete, configure, link, readToken, register } from './registering.ts';
import { givePermissions } from './support.ts';

type State =
  | 'a fresh attempt'
  | 'an attempt that another user opened'
  | 'a superseded attempt'
  | 'an attempt after ten minutes with a code'
  | 'an attempt after an hour without a code'
  | 'a claimed registration'
  | 'a revoked registration'
  | 'a disabled method';

/** The state of the attempt when a user opens its link. */
const STATES: Readonly<Record<State, (claim: Claim) => Promise<unknown>>> = {
  'a fresh attempt': async () => undefined,
  'an attempt that another user opened': async ({ attempt }) => {
    expect((await link(attempt, {}, { external_id: 'first' })).status).toBe(200);
    // The first user has another address now, so the address is free for a second one.
    const { body } = await call<{ id: string }>('GET', '/user_management/users/external_id/first');
    await call('PUT', `/user_management/users/${body.id}`, { email: 'moved@example.com' });
  },
  'a superseded attempt': ({ token }) => begin(token),
  'an attempt after ten minutes with a code': async ({ attempt }) => {
    await link(attempt);
    await advance(601);
  },
  'an attempt after an hour without a code': () => advance(3_601),
  'a claimed registration': async ({ token, attempt }) => {
    const { user_code: code } = (await link(attempt)).body;
    expect((await complete(token, code)).status).toBe(200);
  },
  'a revoked registration': ({ id }) => call('POST', `/x/agents/registrations/${id}/revoke`),
  'a disabled method': () => configure({ service_auth: false }),
};

interface Claim {
  id: string;
  token: string;
  attempt: string;
}

/** The user who opens the link: the one whose address was named, or one with another address. */
const ADDRESSES = { 'the named address': {}, 'another address': { email: 'eve@example.com', external_id: 'eve' } };

type Address = keyof typeof ADDRESSES;

/** The code that the agent sends afterwards. */
const CODES = ['the code', 'a wrong code', 'no code'] as const;

/** The outcome of opening the link, which the state decides before the address. */
function opened(state: State, address: Address): string | number {
  const byState: Partial<Record<State, string>> = {
    'a superseded attempt': 'invalid_claim',
    'an attempt after ten minutes with a code': 'user_code_expired',
    'an attempt after an hour without a code': 'claim_expired',
    'a claimed registration': 'already_claimed',
    'a revoked registration': 'claim_denied',
    'a disabled method': 'auth_method_disabled',
  };
  if (byState[state] !== undefined) return byState[state];
  if (address === 'another address') return 'email_mismatch';
  return state === 'an attempt that another user opened' ? 'wrong_account' : 200;
}

beforeEach(async () => {
  await reset({ calm: true });
  await givePermissions('posts:write');
});

/** The cells of the table. Opening a link that is rejected shows no code, so one cell is enough for it. */
const CELLS = (Object.keys(STATES) as State[]).flatMap((state) =>
  (Object.keys(ADDRESSES) as Address[]).flatMap((address) =>
    (opened(state, address) === 200 ? CODES : CODES.slice(0, 1)).map((code) => ({ state, address, code })),
  ),
);

test.each(CELLS)(
  'a claim of an agent with $state is opened by a user with $address and completed with $code only if the rules allow it',
  async (cell) => {
    const { state, address, code } = cell;
    await configure();
    const { id, claim } = (await register({ type: 'service_auth', login_hint: ADA })).body;
    const held: Claim = { id, token: claim?.token ?? '', attempt: readToken(claim?.attempt) };
    await STATES[state](held);
    const { status, body } = await link(held.attempt, {}, ADDRESSES[address]);
    expect(body.code ?? status).toBe(opened(state, address));
    expect(body.user_code === undefined).toBe(status !== 200);
    if (status !== 200) return;
    const other = body.user_code.startsWith('B') ? 'CCCC-CCCC' : 'BBBB-BBBB';
    const done = await complete(held.token, { 'the code': body.user_code, 'a wrong code': other, 'no code': '' }[code]);
    const outcome = { 'the code': 200, 'a wrong code': 'invalid_user_code', 'no code': 'invalid_request' }[code];
    expect(done.body.code ?? done.status).toBe(outcome);
  },
);

test('a claim needs an organization of the user if there are several, and only such a one', async () => {
  await configure();
  const { claim } = (await register({ type: 'service_auth', login_hint: ADA })).body;
  const user = await call<{ id: string }>('POST', '/user_management/users', { email: ADA, external_id: 'ada' });
  const [one, two] = [await newOrganization('One'), await newOrganization('Two')];
  for (const organization of [one, two]) await addMembership(user.body.id, organization, 'active');
  const attempt = readToken(claim?.attempt);
  expect((await link(attempt)).body.code).toBe('organization_selection_required');
  const foreign = await link(attempt, { organization_id: await newOrganization('Three') });
  expect(foreign.body.code).toBe('invalid_organization');
  expect((await link(attempt, { organization_id: two })).status).toBe(200);
});
