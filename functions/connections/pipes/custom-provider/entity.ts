import { collection } from '../../../kernel/storage/collection.ts';
import { type RecordOf, entity } from '../../../kernel/storage/entity.ts';
import { ENVIRONMENT_OWNER, ownedRecord } from '../../../kernel/storage/record.ts';

/**
 * A customer's own provider, whose id is its slug. Both integrations of the slug share it, and it is removed with the last
 * of them.
 */
const CustomProviderEntity = entity(
  ownedRecord('custom-provider', {
    name: { type: 'string', required: true },
    authorizationUrl: { type: 'string' },
    tokenUrl: { type: 'string' },
    refreshTokenUrl: { type: 'string' },
    pkceEnabled: { type: 'boolean', required: true },
    requestScopeSeparator: { type: 'string', required: true },
    scopesRequired: { type: 'boolean', required: true },
    clientSecretRequired: { type: 'boolean', required: true },
    additionalAuthorizationParameters: { type: 'any', required: true },
    tokenBodyContentType: {
      type: ['application/x-www-form-urlencoded', 'application/json'] as const,
      required: true,
    },
    authenticateVia: { type: ['request_body', 'basic_auth_header'] as const, required: true },
    /** The ownerships of the integrations that use the custom provider. */
    roots: { type: 'list', items: { type: 'string' }, required: true },
  }),
);

export type CustomProviderRecord = RecordOf<typeof CustomProviderEntity>;

/** Customers' own providers by slug: `get` is one GetItem. */
export const customProviders = collection(CustomProviderEntity, 'silent');

/** The owner of its rows, for erasure. */
export const customProviderOwner = ENVIRONMENT_OWNER;
