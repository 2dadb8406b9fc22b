/**
 * The reason for rejecting an authorization request, which the application gets at its redirect URI (RFC 6749 section
 * 4.1.2.1, OpenID Connect Core section 3.1.2.6, RFC 8707 section 2).
 */
export interface RequestFault {
  error:
    | 'invalid_request'
    | 'unsupported_response_type'
    | 'unauthorized_client'
    | 'invalid_scope'
    | 'invalid_target'
    | 'request_not_supported'
    | 'request_uri_not_supported'
    | 'registration_not_supported'
    | 'login_required'
    | 'consent_required'
    | 'access_denied';
  description: string;
}
