import { readUlid } from '../../kernel/id-format.ts';
import { CONSENT_PREFIX } from '../consent/rules.ts';

const ULID = '[0-7][0-9A-HJKMNP-TV-Z]{25}';
const FORM = new RegExp(`^(${ULID})(${ULID})(${ULID})(${ULID})([\\w-]{43,65})$`);
/** Replaces the organization's ULID if the grant has no organization. */
const NONE = '0'.repeat(26);

/**
 * The records that a code or refresh token belongs to. They are hints, which let one BatchGetItem read all of them: the rows decide,
 * and only the secret is a proof.
 */
export interface GrantReference {
  userId: string;
  grantId: string;
  consentId: string;
  organizationId: string | undefined;
  /** In base64url: 32 bytes of a code; 16 of the family and 32 of the generation of a refresh token. */
  secret: string;
}

/** Prefixes of codes and refresh tokens, by which secret scanners recognise them. */
export const CODE_PREFIX = 'oac_';
export const REFRESH_PREFIX = 'ort_';

export function writeReference(prefix: string, reference: GrantReference): string {
  const { userId, grantId, consentId, organizationId, secret } = reference;
  const organization = organizationId === undefined ? NONE : readUlid(organizationId);
  return `${prefix}${readUlid(userId)}${readUlid(grantId)}${readUlid(consentId)}${organization}${secret}`;
}

/** Parses a well-formed code or refresh token; undefined for any other text. It does not verify it. */
export function readReference(prefix: string, text: string): GrantReference | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const match = FORM.exec(text.slice(prefix.length));
  if (match === null) return undefined;
  const [, user = '', grant = '', consent = '', organization = '', secret = ''] = match;
  return {
    userId: `user_${user}`,
    grantId: `${GRANT_PREFIX}_${grant}`,
    consentId: `${CONSENT_PREFIX}_${consent}`,
    organizationId: organization === NONE ? undefined : `org_${organization}`,
    secret,
  };
}

export const GRANT_PREFIX = 'connect_grant';
