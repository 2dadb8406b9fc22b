import { readUlid } from '../../../kernel/id-format.ts';
import { CONSENT_PREFIX } from '../consent/rules.ts';

const ULID = '[0-7][0-9A-HJKMNP-TV-Z]{25}';
const FORM = new RegExp(`^(${ULID})(${ULID})(${ULID})(${ULID})([\\w-]{43,65})$`);
/** A value in place of the organization's ULID if the grant has no organization. */
const NONE = '0'.repeat(26);

/**
 * The records that a code or refresh token belongs to. Its ids are hints, with which one BatchGetItem reads all of them. The
 * rows have priority, and only the secret proves anything.
 */
export interface GrantReference {
  userId: string;
  grantId: string;
  consentId: string;
  organizationId: string | undefined;
  /**
   * The secret in base64url: 32 bytes in a code; in a refresh token 16 bytes that all tokens of the grant share, and 32 bytes
   * of its own.
   */
  secret: string;
}

/** Prefixes of codes and refresh tokens, by which secret scanners recognize them. */
export const CODE_PREFIX = 'oac_';
export const REFRESH_PREFIX = 'ort_';

export function writeReference(prefix: string, reference: GrantReference): string {
  const { userId, grantId, consentId, organizationId, secret } = reference;
  const organization = organizationId === undefined ? NONE : readUlid(organizationId);
  return `${prefix}${readUlid(userId)}${readUlid(grantId)}${readUlid(consentId)}${organization}${secret}`;
}

/** Parses a well-formed code or refresh token; undefined for any other text. It does not verify the secret. */
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
