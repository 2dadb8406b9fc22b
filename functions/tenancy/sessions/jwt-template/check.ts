import { renderClaims, type TemplateContext, TemplateError } from './render.ts';

/**
 * Time limit in ms for a template with one of the samples, in the best of several attempts: the first one compiles it, and
 * a busy machine must not fail a template.
 */
const LIMIT_MS = 100;
const TRIES = 3;

/** A name with characters that break careless templates. */
const HOSTILE = '"},"sub":"user_0","x":{"\\\n\u2028{{ user }}{% raw %}\u0001\uD83D\uDE00';

const PAIRS = 50;

const time = '2026-01-15T12:00:00.000Z';

const user = {
  object: 'user',
  id: 'user_01K0G000000000000000000000',
  first_name: 'Ada',
  last_name: 'Lovelace',
  name: 'Ada Lovelace',
  profile_picture_url: null,
  email: 'ada@example.com',
  email_verified: true,
  external_id: 'f1ffa2b2',
  metadata: { department: 'engineering' },
  last_sign_in_at: time,
  locale: 'en-US',
  created_at: time,
  updated_at: time,
};

const nothing = {
  first_name: null,
  last_name: null,
  name: null,
  external_id: null,
  metadata: {},
  last_sign_in_at: null,
  locale: null,
};

const hostile = {
  ...user,
  first_name: HOSTILE,
  last_name: HOSTILE,
  name: HOSTILE,
  external_id: 'f1"ffa2b2\\',
  metadata: Object.fromEntries(Array.from({ length: PAIRS }, (_, at) => [`key ${at} "`, HOSTILE])),
};

const organization = {
  object: 'organization',
  id: 'org_01K0G000000000000000000000',
  name: 'Acme',
  domains: [],
  external_id: 'acme',
  metadata: { tier: 'gold' },
  created_at: time,
  updated_at: time,
};

const membership = {
  object: 'organization_membership',
  id: 'om_01K0G000000000000000000000',
  user_id: user.id,
  organization_id: organization.id,
  status: 'active',
  directory_managed: false,
  custom_attributes: {},
  role: 'member',
  roles: ['member'],
  permissions: ['posts:read'],
};

/** The sample users on which a template is tried before it is stored. */
const samples: readonly (TemplateContext & { what: string; mayBeTooBig?: true })[] = [
  { what: 'a user in an organization', user, organization, organization_membership: membership },
  { what: 'a user without an organization', user, organization: null, organization_membership: null },
  {
    what: 'a user with only an email',
    user: { ...user, ...nothing },
    organization: { ...organization, external_id: null, metadata: {} },
    organization_membership: { ...membership, permissions: undefined },
  },
  {
    what: 'a user whose name holds quotes, braces and line ends',
    user: hostile,
    organization: { ...organization, name: HOSTILE },
    organization_membership: membership,
    mayBeTooBig: true,
  },
];

/**
 * Describes what is wrong with a template: it does not parse, or for some sample user its result is not a JSON object, sets
 * a claim of the service, or exceeds a limit.
 * @returns a sentence for the author; undefined if the template is valid
 */
export async function findFault(content: string): Promise<string | undefined> {
  for (const { what, mayBeTooBig, ...context } of samples) {
    try {
      await renderInTime(content, context);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      if (error.code !== 'too_big' || mayBeTooBig !== true) return `for ${what}: ${error.message}`;
    }
  }
  return undefined;
}

async function renderInTime(content: string, context: TemplateContext): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await renderClaims(content, context, LIMIT_MS);
      return;
    } catch (error) {
      const isSlow = error instanceof TemplateError && error.code === 'too_slow';
      if (!isSlow || attempt === TRIES) throw error;
    }
  }
}
