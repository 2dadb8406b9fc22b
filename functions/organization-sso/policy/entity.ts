import { collection } from '../../kernel/storage/collection.ts';
import { ownedRecord } from '../../kernel/storage/record.ts';
import { type RecordOf, entity } from '../../kernel/storage/entity.ts';

/**
 * The connections of an organization (at most 50) and its policy for single sign-on, in one row, so that a sign-in reads
 * both with one strongly consistent GetItem. Its id is the organization's.
 */
const OrganizationSsoEntity = entity(
  ownedRecord('organization-sso', {
    /** {@link ConnectionSummary} by the id of the connection. */
    connections: { type: 'any', required: true },
    /** Overrides of the defaults in `settings.ts`. */
    policy: { type: 'any' },
  }),
);

export type OrganizationSsoRecord = RecordOf<typeof OrganizationSsoEntity>;

/** The policies of organizations: `get` is one GetItem. */
export const organizationSso = collection(OrganizationSsoEntity, 'silent');

/** The part of a connection that determines how its organization's members sign in. */
export interface ConnectionSummary {
  type: string;
  name: string;
  state: string;
  /** True if it is inactive only because all its certificates have expired. The policy still applies then. */
  hasLapsed?: boolean | undefined;
}

/** Maximum connections of an organization. */
export const MAX_CONNECTIONS = 50;
