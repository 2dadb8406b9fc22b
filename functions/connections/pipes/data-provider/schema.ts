import * as z from 'zod';

import { listSchema } from '../../../kernel/pagination.ts';
import { timestamp } from '../../../kernel/values.ts';
import { AuthMethod } from '../catalogue/schema.ts';
import type { FoundProvider } from '../catalogue/find.ts';
import type { AccountRecord } from '../connected-account/entity.ts';
import { findCompatibilityAccount, visible } from '../connected-account/rules.ts';
import { AccountOwnerKind, ConnectedAccount, flag, presentAccount } from '../connected-account/schema.ts';
import type { IntegrationRecord } from '../integration/entity.ts';
import { methodsOf } from '../integration/rules.ts';

const twin = (name: string) =>
  z
    .string()
    .optional()
    .describe(`The same value as \`${name}\`, for earlier clients, which read this spelling.`)
    .meta({ deprecated: true });

/** A connected account in the list, with the twins that some clients require. */
const ListedAccount = ConnectedAccount.extend({
  createdAt: twin('created_at'),
  updatedAt: twin('updated_at'),
  organizationId: twin('organization_id').nullable(),
  userlandUserId: twin('user_id').nullable(),
}).meta({ id: 'DataProviderConnectedAccount' });

const DataProvider = z
  .object({
    object: z.literal('data_provider'),
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    slug: z.string(),
    integration_type: z.string(),
    credentials_type: z.string(),
    scopes: z.array(z.string()).nullable(),
    auth_methods: z.array(AuthMethod).optional(),
    connection_owner: AccountOwnerKind.optional(),
    ownership: AccountOwnerKind,
    created_at: timestamp,
    updated_at: timestamp,
    connected_account: ListedAccount.nullable(),
    connected_accounts: z.array(ListedAccount),
    integrationType: twin('integration_type'),
    credentialsType: twin('credentials_type'),
    createdAt: twin('created_at'),
    updatedAt: twin('updated_at'),
  })
  .meta({ id: 'DataProvider' });

export const DataProviderList = listSchema(DataProvider).meta({ id: 'DataIntegrationsListResponse' });

export const ListOrganizationProviders = z.object({ supports_multiple_connections: flag });
export const ListUserProviders = z.object({
  organization_id: z.string().optional(),
  ...ListOrganizationProviders.shape,
});

function presentListed(record: AccountRecord): z.input<typeof ListedAccount> {
  const account = presentAccount(record);
  return {
    ...account,
    createdAt: account.created_at,
    updatedAt: account.updated_at,
    organizationId: account.organization_id,
    userlandUserId: account.user_id,
  };
}

/** A provider that an owner can connect to, with those of the owner's connected accounts that the caller may see. */
export function presentProvider(
  integration: IntegrationRecord,
  { definition, custom }: FoundProvider,
  accounts: readonly AccountRecord[],
  supportsMultiple: boolean,
): z.input<typeof DataProvider> {
  const compatibility = findCompatibilityAccount(accounts);
  const type = custom === undefined ? integration.slug : 'custom';
  const credentials = integration.credentialsType ?? 'custom';
  return {
    object: 'data_provider',
    id: integration.id,
    name: definition.name,
    description: integration.description ?? null,
    slug: integration.slug,
    integration_type: type,
    credentials_type: credentials,
    scopes: integration.scopes ?? null,
    auth_methods: methodsOf(integration),
    connection_owner: integration.ownership,
    ownership: integration.ownership,
    created_at: integration.createdAt,
    updated_at: integration.updatedAt,
    connected_account: compatibility === undefined ? null : presentListed(compatibility),
    connected_accounts: visible(accounts, supportsMultiple).map(presentListed),
    integrationType: type,
    credentialsType: credentials,
    createdAt: integration.createdAt,
    updatedAt: integration.updatedAt,
  };
}
