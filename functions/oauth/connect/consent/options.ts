import type { Issue } from '../../../kernel/errors.ts';

/** Maximum number of options on a consent page, and of choices of one option. */
export const MAX_OPTIONS = 10;
export const MAX_CHOICES = 50;

/** A question of the environment's own application on the consent page, whose answer is a claim of the access token. */
export interface ConsentOption {
  claim: string;
  label: string;
  choices: readonly { value: string; label: string }[];
}

/** Claims that only the server states: those of RFC 7519, RFC 9068, OpenID Connect and its own. */
const RESERVED: ReadonlySet<string> = new Set([
  ...[
    'iss',
    'sub',
    'aud',
    'exp',
    'nbf',
    'iat',
    'jti',
    'client_id',
    'scope',
    'sid',
    'auth_time',
    'act',
    'may_act',
    'impersonator',
    'sub_profile',
    'sub_type',
    'cnf',
  ],
  ...[
    'org_id',
    'grant_id',
    'permissions',
    'permissions_omitted',
    'role',
    'roles',
    'groups',
    'entitlements',
    'feature_flags',
  ],
  ...['azp', 'acr', 'amr', 'nonce', 'at_hash', 'c_hash', 'email', 'email_verified', 'agent_chain', 'intent', 'active'],
  ...['token_type', 'username', 'typ'],
]);

const CLAIM = /^[A-Za-z][\w.:/-]{0,254}$/;

/** An option as a request names it. */
export interface NamedOption {
  claim: string;
  label: string;
  choices: readonly { value?: string | undefined; label?: string | undefined }[];
}

/** Reads the options of a request: a choice without a value has its label as value, and the reverse. Every issue names its member. */
export function readOptions(named: readonly NamedOption[]): { options: ConsentOption[]; issues: Issue[] } {
  const issues: Issue[] = [];
  const seen = new Set<string>();
  const options = named.map(({ claim, label, choices }, at) => {
    const field = `user_consent_options.${at}`;
    const issue = (member: string, code: string, message: string) =>
      issues.push({ field: `${field}.${member}`, code, message });
    if (!CLAIM.test(claim))
      issue('claim', 'invalid_claim', 'begins with a letter and has letters, digits and . : / _ -');
    if (RESERVED.has(claim)) issue('claim', 'reserved_claim', 'is a claim that only the server states');
    if (seen.has(claim)) issue('claim', 'duplicate', 'is named twice');
    seen.add(claim);
    if (choices.length === 0) issue('choices', 'too_small', 'needs at least one choice');
    const read = choices.map(({ value, label: text }, index) => {
      if (value === undefined && text === undefined) issue(`choices.${index}`, 'required', 'needs a value or a label');
      return { value: value ?? text ?? '', label: text ?? value ?? '' };
    });
    if (new Set(read.map(({ value }) => value)).size < read.length) issue('choices', 'duplicate', 'has a value twice');
    return { claim, label, choices: read };
  });
  return { options, issues };
}

/**
 * The claims that a person chose; undefined if a value is not among the choices of its option.
 * @param chosen returns the value of the form for the option at an index
 */
export function chooseClaims(
  options: readonly ConsentOption[],
  chosen: (index: number) => string | undefined,
): Record<string, string> | undefined {
  const claims: Record<string, string> = {};
  for (const [index, { claim, choices }] of options.entries()) {
    const value = chosen(index);
    if (value === undefined || !choices.some((choice) => choice.value === value)) return undefined;
    claims[claim] = value;
  }
  return claims;
}
