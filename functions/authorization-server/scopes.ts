/** The scopes of OpenID Connect (Core section 5.4, section 11), which every application may have. */
export const OPENID_SCOPES = ['openid', 'profile', 'email', 'offline_access'] as const;

/** Reports whether a scope is one of OpenID Connect, and no permission. */
export const isOpenIdScope = (scope: string): boolean => (OPENID_SCOPES as readonly string[]).includes(scope);
