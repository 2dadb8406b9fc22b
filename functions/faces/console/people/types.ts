/** A user in responses of the API. */
export interface User {
  id: string;
  email: string;
  email_verified: boolean;
  first_name: string | null;
  last_name: string | null;
  external_id: string | null;
  last_sign_in_at: string | null;
  locale?: string | null;
  metadata?: Record<string, string>;
  created_at: string;
  updated_at: string;
}

/** A membership in responses of the API. */
export interface Membership {
  id: string;
  user_id: string;
  organization_id: string;
  organization_name?: string;
  status: string;
  directory_managed?: boolean;
  role?: { slug: string } | null;
  roles?: { slug: string }[];
  user?: User;
  created_at: string;
}

/** A session in responses of the API. */
export interface Session {
  id: string;
  status: string;
  auth_method: string;
  ip_address: string | null;
  user_agent: string | null;
  organization_id?: string | null;
  impersonator?: { email: string; reason: string | null } | null;
  expires_at: string;
  ended_at: string | null;
  created_at: string;
}

/** A factor in responses of the API. */
export interface Factor {
  id: string;
  type: string;
  sms?: { phone_number: string };
  totp?: { issuer: string; user: string };
  created_at: string;
}

/** An API key of a user or organization in responses of the API. */
export interface OwnedKey {
  id: string;
  name: string;
  obfuscated_value: string;
  last_used_at: string | null;
  expires_at?: string | null;
  permissions: string[];
  created_at: string;
}

/** The slugs of the roles of a membership. */
export const roleSlugs = ({ role, roles }: Pick<Membership, 'role' | 'roles'>): string[] => {
  const slugs = (roles ?? []).map(({ slug }) => slug);
  return slugs.length > 0 || role === undefined || role === null ? slugs : [role.slug];
};
