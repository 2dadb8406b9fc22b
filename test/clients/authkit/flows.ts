/**
 * Applications of both packages whose users switch to an organization that the session is not sufficient for. The rejected
 * refresh names the missing proof, the hosted pages ask for it, and the session is for that organization in the end.
 */
import { connect } from '../../support/connection.ts';
import { browser, type Browser } from '../../support/browser.ts';
import type { Step } from '../client.ts';
import { type Application, startApplication } from './application.ts';
import { walk } from './walk.ts';

const {
  GATEHOUSE_AUTHKIT = '',
  GATEHOUSE_BASE_URL = '',
  GATEHOUSE_API_KEY = '',
  GATEHOUSE_CLIENT_ID = '',
} = process.env;
const PASSWORD = 'plain tulips over kelp';
const { demand, close } = connect(GATEHOUSE_BASE_URL, GATEHOUSE_API_KEY);

const post = <T = { id: string }>(path: string, body: object) => demand<T>({ method: 'POST', path, body });

/** The options of a connection to the identity provider of the local service. */
const fetchOptions = async (): Promise<unknown> => (await fetch(`${GATEHOUSE_BASE_URL}/_local/idp/options`)).json();

/** An organization, with a verified domain if one is given. */
async function addOrganization(name: string, domain?: string): Promise<string> {
  const domain_data = domain === undefined ? [] : [{ domain, state: 'verified' }];
  return (await post('/organizations', { name, domain_data })).id;
}

/** Connects an organization to the identity provider, which is required from then on where the organization has a domain. */
async function addConnection(organization_id: string): Promise<void> {
  await post('/connections', { organization_id, saml_options: await fetchOptions() });
}

async function addMember(email: string, ...organizationIds: string[]): Promise<void> {
  const { id } = await post('/user_management/users', { email, password: PASSWORD, email_verified: true });
  for (const organization_id of organizationIds) {
    await post('/user_management/organization_memberships', { user_id: id, organization_id });
  }
}

/** Changes some of the sign-in settings. */
async function changeSettings(changes: object): Promise<void> {
  const path = '/x/authentication/settings';
  const known = await demand<object>({ method: 'GET', path });
  await demand({ method: 'PUT', path, body: { ...known, ...changes } });
}

/** A person, the organization by whose identity provider the person signs in, and another one. */
interface Setting {
  email: string;
  from: string;
  to: string;
}

/** A guest of an organization, whose identity provider proves nothing about the account elsewhere. */
async function setUpGuest(domain: string): Promise<Setting> {
  const email = `ada@customer.${domain}`;
  const from = await addOrganization('Partner', `partner.${domain}`);
  const to = await addOrganization('Customer', `customer.${domain}`);
  return { email, from, to };
}

/** A case for each code of a rejected refresh. */
interface Case {
  code: string;
  /** The proof that the pages ask for. */
  proof: string;
  setUp: (domain: string) => Promise<Setting>;
  /** Makes the session insufficient for the other organization. */
  restrict: (setting: Setting) => Promise<unknown>;
}

const CASES: readonly Case[] = [
  {
    code: 'sso_required',
    proof: 'single sign-on of that organization',
    setUp: setUpGuest,
    restrict: ({ to }) => addConnection(to),
  },
  {
    code: 'authentication_method_not_allowed',
    proof: 'a password',
    setUp: setUpGuest,
    restrict: async () => undefined,
  },
  {
    code: 'mfa_enrollment',
    proof: 'a new factor',
    setUp: async (domain) => ({
      email: `ada@${domain}`,
      from: await addOrganization('Company', domain),
      to: await addOrganization('Club'),
    }),
    restrict: () => changeSettings({ mfa: 'required' }),
  },
];

let failed = false;

async function step<T>(
  name: string,
  work: () => Promise<T>,
  isExpected: (result: T) => boolean,
): Promise<T | undefined> {
  if (failed) return undefined;
  const line: Step = { step: name, ok: false };
  try {
    const result = await work();
    line.ok = isExpected(result);
    if (!line.ok) line.why = JSON.stringify(result);
    return result;
  } catch (error) {
    line.why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return undefined;
  } finally {
    failed = !line.ok;
    console.log(JSON.stringify(line));
  }
}

/** The session of an application in a browser. */
interface Entered {
  email: string | null;
  organization_id: string | null;
}

async function play(name: string, application: Application, { code, proof, setUp, restrict }: Case): Promise<void> {
  const setting = await setUp(`${name}-${code.replaceAll('_', '-')}.example`);
  const { email, from, to } = setting;
  await addConnection(from);
  await addMember(email, from, to);
  const by = { email, password: PASSWORD, origin: application.origin };
  const open = async (person: Browser, path: string): Promise<Entered> => {
    await walk(person, await person.open(`${application.origin}${path}`), by);
    return JSON.parse((await person.open(application.origin)).text) as Entered;
  };
  const isIn = (organizationId: string) => (entered: Entered) =>
    entered.email === email && entered.organization_id === organizationId;
  await step(
    `${name}, ${code}: the account at the identity provider is linked`,
    () => open(browser(), `/sign-in?organization_id=${from}`),
    isIn(from),
  );
  const person = browser();
  await step(
    `${name}, ${code}: the person signs in by the identity provider`,
    () => open(person, `/sign-in?organization_id=${from}`),
    isIn(from),
  );
  await restrict(setting);
  const next = `/sign-in?organization_id=${to}`;
  await step(
    `${name}, ${code}: the switch is rejected, and names the address of the application that begins a sign-in`,
    () => person.request(`${application.origin}/switch?organization_id=${to}`),
    ({ headers }) =>
      headers.get('location') === application.origin + next && (headers.get('x-rejection') ?? code) === code,
  );
  await step(
    `${name}, ${code}: the session is for the other organization, after ${proof}`,
    () => open(person, next),
    isIn(to),
  );
}

for (const kind of ['next', 'session'] as const) {
  const name = kind === 'next' ? 'authkit-nextjs' : 'authkit-session';
  const service = { url: GATEHOUSE_BASE_URL, apiKey: GATEHOUSE_API_KEY, clientId: GATEHOUSE_CLIENT_ID };
  const application = await startApplication(GATEHOUSE_AUTHKIT, kind, service);
  try {
    const { id } = await post<{ id: string }>('/user_management/redirect_uris', {
      uri: `${application.origin}/callback`,
    });
    await post(`/x/redirect_uris/${id}/make_default`, {});
    await changeSettings({ initiate_login_uri: `${application.origin}/sign-in` });
    for (const one of CASES) {
      failed = false;
      await play(name, application, one);
      await changeSettings({ mfa: 'optional' });
    }
  } finally {
    await application.close();
  }
}
close();
console.log(JSON.stringify({ end: true }));
