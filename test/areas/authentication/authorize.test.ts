import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { issueAuthorizationCode } from '../../../functions/sign-in/modules/authorization-codes/code/code.ts';
import { findLoginFlow, loginFlow } from '../../../functions/sign-in/modules/sign-in-flows/login-flow/flow.ts';
import { newEnvironment } from '../../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { findUser } from '../../../functions/tenancy/modules/users/public.ts';
import { call, eventually, reset, sdk, service } from '../../support/service.ts';
import {
  authorize,
  environment,
  makeUser,
  otherEnvironment,
  pkce,
  REDIRECT_URI,
  registerRedirectUri,
} from './inside.ts';
import { admit } from '../../support/admission.ts';

beforeEach(async () => {
  await reset();
  await registerRedirectUri();
});
afterEach(() => clock.reset());

/** The response of an authorize request with these members instead of the default ones. */
async function ask(members: Record<string, string | undefined>, headers: Record<string, string> = {}) {
  const { clientId } = await service();
  const usual = {
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    provider: 'authkit',
    state: 'a state',
  };
  const given = Object.entries({ ...usual, ...members }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const query = new URLSearchParams(given).toString();
  return call('GET', `/user_management/authorize?${query}`, undefined, { apiKey: null, headers });
}

const readFlow = async (location: URL) => {
  await environment();
  return findLoginFlow(location.searchParams.get('flow') ?? '');
};

describe('an authorization request', () => {
  test('of the SDK redirects to the hosted pages, with all its parameters', async () => {
    const { challenge } = pkce();
    const { clientId, url } = await service();
    const address = sdk().userManagement.getAuthorizationUrl({
      clientId,
      redirectUri: REDIRECT_URI,
      provider: 'authkit',
      state: 'a "state" with ümlauts & signs',
      codeChallenge: challenge,
      codeChallengeMethod: 'S256',
      loginHint: 'ada@example.com',
      screenHint: 'sign-up',
      maxAge: 0,
      prompt: 'login',
      domainHint: 'example.com',
      organizationId: 'org_01HZZZZZZZZZZZZZZZZZZZZZZZ',
      invitationToken: 'an invitation',
      claimNonce: 'a nonce',
      providerScopes: ['one', 'two'],
      providerQueryParams: { a: 'b', c: 'd' },
    });
    const path = address.slice(url.length);
    const response = await call('GET', path, undefined, { apiKey: null });
    expect(response.status).toBe(302);
    const location = new URL(response.headers.location ?? '');
    expect(location.href).toMatch(new RegExp(`^${url}/hosted/sign-up\\?flow=`));
    expect(await readFlow(location)).toMatchObject({
      redirectUri: REDIRECT_URI,
      state: 'a "state" with ümlauts & signs',
      codeChallenge: challenge,
      loginHint: 'ada@example.com',
      screenHint: 'sign-up',
      maxAge: 0,
      prompt: 'login',
      domainHint: 'example.com',
      organizationId: 'org_01HZZZZZZZZZZZZZZZZZZZZZZZ',
      invitationToken: 'an invitation',
      provider: 'hosted',
      providerScopes: ['one', 'two'],
      providerQueryParams: { a: 'b', c: 'd' },
    });
  });

  test('is valid for an hour, and is not found in another environment', async () => {
    const location = await authorize();
    expect(await readFlow(location)).toBeDefined();
    const id = location.searchParams.get('flow') ?? '';
    expect(await findLoginFlow(id.slice(0, -1))).toBeUndefined();
    expect(await findLoginFlow('login_flow_none')).toBeUndefined();
    clock.advance(3_500_000);
    expect(await findLoginFlow(id)).toBeDefined();
    clock.advance(101_000);
    expect(await findLoginFlow(id)).toBeUndefined();
  });

  test('can be completed only once: of two concurrent completions only one gets a code', async () => {
    const id = await makeUser();
    const [environmentId, location] = [await environment(), await authorize()];
    const flow = await readFlow(location);
    const user = await findUser(environmentId, id);
    const issue = async (): Promise<string> => {
      if (flow === undefined || user === undefined) throw new Error('There is no such sign-in');
      const unit = new Unit(environmentId, systemActor);
      await issueAuthorizationCode(unit, { environmentId, flow, user, verdict: admit(), method: 'password' });
      return (await unit.commit()).kind;
    };
    const outcomes = await Promise.all([issue(), issue(), issue()]);
    expect(outcomes.filter((kind) => kind === 'committed').length).toBeLessThanOrEqual(1);
    expect([...outcomes, await issue()]).toContain('conflict');
    await eventually(issue, (kind) => kind === 'conflict');
    expect(await readFlow(location)).toBeUndefined();
    const { record: elsewhere } = newEnvironment('elsewhere');
    expect(await loginFlow(elsewhere.id, (await authorize()).searchParams.get('flow') ?? '')).toBeUndefined();
  });

  test('of a script that requests JSON gets the address in the body instead of a redirect', async () => {
    const response = await ask({}, { accept: 'application/json' });
    expect(response).toMatchObject({ status: 200, body: undefined });
    expect(response.headers.location).toContain('/hosted/sign-in?flow=');
  });
});

describe('a presented redirect URI', () => {
  test.each([
    ['of somebody else', 'https://evil.example.com/callback'],
    ['behind user info', 'https://app.example.com@evil.example.com/callback'],
    ['with user info', 'https://somebody@app.example.com/callback'],
    ['with another port', 'https://app.example.com:8443/callback'],
    ['with a backslash', 'https://app.example.com\\@evil.example.com/callback'],
    ['with a fragment', 'https://app.example.com/callback#x'],
    ['in another case', 'https://app.example.com/Callback'],
    ['one folder below', 'https://app.example.com/callback/../evil'],
    ['of a longer host', 'https://app.example.com.evil.example/callback'],
    ['without TLS', 'http://app.example.com/callback'],
    ['that is a script', 'javascript:alert(1)//https://app.example.com/callback'],
    ['with a line break', 'https://app.example.com/callback\r\nset-cookie: a=b'],
    ['that is none', 'callback'],
    ['that is empty', ''],
    ['with a query of its own', 'https://app.example.com/callback?next=evil'],
    ['with a dot more', 'https://app.example.com./callback'],
    ['in other letters', 'https://аpp.example.com/callback'],
  ])('is never redirected to if it is %s', async (_, redirect_uri) => {
    const response = await ask({ redirect_uri });
    expect(response.status).toBe(400);
    expect(response.headers.location).toBeUndefined();
  });

  test('of another environment is never redirected to', async () => {
    const { clientId } = await otherEnvironment();
    const response = await ask({ client_id: clientId });
    expect(response.status).toBe(400);
    expect(response.headers.location).toBeUndefined();
  });

  test('keeps its registered query parameters; parameters of the response override those of the same name', async () => {
    const uri = 'https://app.example.com/back?tenant=1&state=theirs&code=theirs';
    await registerRedirectUri(uri);
    const response = await ask({ redirect_uri: uri, response_type: 'token' });
    const location = new URL(response.headers.location ?? '');
    expect(location.searchParams.get('tenant')).toBe('1');
    expect(location.searchParams.getAll('state')).toEqual(['a state']);
  });
});

describe('a client', () => {
  test('that is unknown, missing or malformed causes no redirect', async () => {
    for (const client_id of ['client_01HZZZZZZZZZZZZZZZZZZZZZZZ', 'client_none', undefined]) {
      const response = await ask({ client_id });
      expect(response.status).toBe(400);
      expect(response.headers.location).toBeUndefined();
    }
  });
});

describe('a missing redirect URI', () => {
  test('is reported in the response, with an OAuth error code', async () => {
    const response = await ask({ redirect_uri: undefined });
    expect(response).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(response.headers.location).toBeUndefined();
  });
});

describe('an invalid parameter of an authorization request', () => {
  test.each<[string, Record<string, string | undefined>, string]>([
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    [
      'a challenge by another method',
      { code_challenge: pkce().challenge, code_challenge_method: 'plain' },
      'invalid_request',
    ],
    ['a challenge without a method', { code_challenge: pkce().challenge }, 'invalid_request'],
    ['a method without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
    ['a challenge that is none', { code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
    ['no way to sign in', { provider: undefined }, 'invalid_request'],
    ['a provider that there is not', { provider: 'MyspaceOAuth' }, 'invalid_request'],
    ['a screen that there is not', { screen_hint: 'sign-out' }, 'invalid_request'],
    ['an age that is none', { max_age: '-1' }, 'invalid_request'],
    ['an age of a provider', { provider: 'GoogleOAuth', max_age: '10' }, 'invalid_request'],
    ['a connection beside a provider', { connection_id: 'conn_01HZZZZZZZZZZZZZZZZZZZZZZZ' }, 'invalid_request'],
  ])('such as %s is reported to the application, with its state', async (_, members, error) => {
    const response = await ask(members);
    expect(response.status).toBe(302);
    const location = new URL(response.headers.location ?? '');
    expect(`${location.origin}${location.pathname}`).toBe(REDIRECT_URI);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      error,
      state: 'a state',
      // The issuer of the response, for clients of several servers (RFC 9207).
      iss: expect.stringContaining((await service()).clientId) as unknown as string,
      error_description: expect.stringMatching(/\S/) as unknown as string,
    });
  });
});
