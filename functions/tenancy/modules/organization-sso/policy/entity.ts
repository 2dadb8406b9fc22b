import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from '../../../../kernel/storage/record.ts';

/**
 * The connections of an organization and its policy of single sign-on, in one row: a sign-in reads both with one strongly
 * consistent GetItem. Its id is the organization's. At most 50 connections. It is not erased with the organization, because a
 * worker reads it to delete the connections, and then removes it.
 */
const OrganizationSsoEntity = entity({
  model: model('organization-sso'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** {@link ConnectionSummary} by the id of the connection. */
    connections: { type: 'any', required: true },
    /** Overrides of the defaults in `settings.ts`. */
    policy: { type: 'any' },
  },
  indexes: { primary: recordKey('organization-sso'), owned: ownedIndex },
});

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

/** The provider name of every identity from an SSO connection. The issuer of such an identity is the connection's id. */
export const SSO_PROVIDER = 'SSO';

/** Maximum connections of an organization. */
export const MAX_CONNECTIONS = 50;
