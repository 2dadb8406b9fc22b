/** Permissions of the service itself, for tokens of widgets. Their slugs are the scopes of widgets in the contract. */
export const SYSTEM_PERMISSIONS = [
  {
    slug: 'widgets:api-keys:manage',
    name: 'Manage API keys',
    description: 'Create and revoke API keys of the organization in the widget.',
  },
  {
    slug: 'widgets:audit-log-streaming:manage',
    name: 'Manage audit log streaming',
    description: 'Configure where audit logs of the organization are streamed.',
  },
  {
    slug: 'widgets:domain-verification:manage',
    name: 'Manage domain verification',
    description: 'Add and verify domains of the organization in the widget.',
  },
  {
    slug: 'widgets:dsync:manage',
    name: 'Manage directory sync',
    description: 'Configure directory sync of the organization in the widget.',
  },
  {
    slug: 'widgets:pipes:manage',
    name: 'Manage pipes',
    description: 'Connect accounts of providers in the widget.',
  },
  {
    slug: 'widgets:sso:manage',
    name: 'Manage SSO',
    description: 'Configure single sign-on of the organization in the widget.',
  },
  {
    slug: 'widgets:users-table:manage',
    name: 'Manage users',
    description: 'Invite, change and remove members in the widget.',
  },
] as const;
