import { browser } from '../../../support/browser.ts';
import { service } from '../../../support/service.ts';
import { readPermissions } from '../../agents/issued.ts';
import { type Issuer, startIssuer } from '../../agents/issuer.ts';
import { begin, complete, configure, exchange, link, readToken, register } from '../../agents/registering.ts';
import * as agents from '../../agents/support.ts';
import { post } from '../../connect/person.ts';
import type { Granted } from '../tenants.ts';
import { type Doors, EMAIL, enter, type Member, openSession, read } from './member.ts';

/** The code as a page displays it. */
const CODE = /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/;

/** The identity provider of all cells, which one of them starts. */
let issuer: Promise<Issuer> | undefined;
export const closeIssuer = async (): Promise<void> => (await issuer)?.close();

const newBlueprint = (): Promise<string> => agents.newBlueprint({ permissions: [] });

/** Begins the claim of an agent on the hosted page, and signs in. @returns the completion on the page that follows */
async function openClaim({ organizationId }: Member) {
  await configure({ claim_uri: 'hosted' });
  const { claim } = (await register({ type: 'service_auth', login_hint: EMAIL })).body;
  const person = browser();
  const first = await person.submit(await person.open(claim?.attempt?.verification_uri ?? ''));
  const page = await enter(person, first, organizationId);
  return async () => {
    const { text, url } = await person.submit(page, { do: 'approve', organization_id: organizationId });
    const [code] = CODE.exec(text) ?? [];
    return code === undefined ? new URL(url).pathname : complete(claim?.token, code);
  };
}

/** Claims an agent for an organization. @returns its assertion */
async function claim(member: Member): Promise<string> {
  const done = await (await openClaim(member))();
  if (typeof done === 'string' || done.status >= 300) throw new Error('The agent was not claimed');
  return done.body.identity.assertion;
}

/** Delegates to an agent. @returns its tokens, and the blueprint */
async function delegate({ organizationId }: Member) {
  const { access_token: token } = await openSession(organizationId);
  const blueprintId = await newBlueprint();
  return { blueprintId, token, agent: (await agents.delegate(blueprintId, { token })).body };
}

export const AGENT_DOORS: Doors = {
  'claim of an agent, on the hosted page': async (member) => {
    const finish = await openClaim(member);
    return async () => {
      const done = await finish();
      return typeof done === 'string' ? done : read(done);
    };
  },
  'claim of an agent, on the page of an application': async ({ organizationId }) => {
    await configure();
    const { claim: asked } = (await register()).body;
    const { attempt } = (await begin(asked?.token)).body;
    return async () => {
      const linked = await link(readToken(attempt), { organization_id: organizationId });
      return linked.status === 200 ? read(await complete(asked?.token, linked.body.user_code)) : read(linked);
    };
  },
  'completion of a claim': async ({ organizationId }) => {
    await configure();
    const { claim: asked } = (await register()).body;
    const { attempt } = (await begin(asked?.token)).body;
    const { body } = await link(readToken(attempt), { organization_id: organizationId });
    return async () => read(await complete(asked?.token, body.user_code));
  },
  'token of a claimed agent': async (member) => {
    const assertion = await claim(member);
    return async () => read(await exchange(assertion));
  },
  'assertion of a claimed agent, renewed': async (member) => {
    const assertion = await claim(member);
    return async () => read(await register({ type: 'refresh', assertion }));
  },
  'API key of a claimed agent': async (member) => {
    const assertion = await claim(member);
    return async () => read(await exchange(assertion, { credential_type: 'api_key' }));
  },
  'use of an agent’s API key': async (member) => {
    const { body } = await exchange(await claim(member), { credential_type: 'api_key' });
    return async () => ((await readPermissions(body.access_token)) === undefined ? 'invalid' : 'allowed');
  },
  'agent that an ID-JAG asserts': async ({ organizationId }) => {
    const { trust, present } = await (issuer ??= startIssuer());
    await trust(organizationId);
    return async () => read(await present());
  },
  'token of an asserted agent': async ({ organizationId }) => {
    const { trust, present } = await (issuer ??= startIssuer());
    await trust(organizationId);
    const { identity } = (await present()).body;
    return async () => read(await exchange(identity?.assertion));
  },
  'delegation to a blueprint': async ({ organizationId }) => {
    const { access_token: token } = await openSession(organizationId);
    const blueprintId = await newBlueprint();
    return async () => read(await agents.delegate(blueprintId, { token }));
  },
  'refresh of a delegation': async (member) => {
    const { blueprintId, agent } = await delegate(member);
    return async () => read(await agents.refresh(blueprintId, agent.refresh_token));
  },
  'delegation by an agent': async (member) => {
    const { agent } = await delegate(member);
    const below = await newBlueprint();
    return async () => read(await agents.pass(below, agent.access_token));
  },
  'exchange of a token': async ({ organizationId }) => {
    const { access_token } = await openSession(organizationId);
    return exchangeFor(await newBlueprint(), access_token);
  },
  'agent of an organization': async ({ organizationId }) => {
    const blueprintId = await newBlueprint();
    return async () => read(await agents.autonomous(blueprintId, organizationId));
  },
};

/** Exchanges a token for that of an agent (RFC 8693). */
async function exchangeFor(audience: string, subject_token: Granted['access_token']) {
  const { clientId, apiKey } = await service();
  const type = 'urn:ietf:params:oauth:token-type:access_token';
  const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange';
  const client = { client_id: clientId, client_secret: apiKey };
  const form = { ...client, grant_type, audience, subject_token, subject_token_type: type };
  return async () => read(await post('token', form));
}
