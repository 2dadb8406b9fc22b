/** Namespaces, bindings and algorithms of SAML 2.0, XML Signature and XML Encryption that this service knows. */

export const SAML = 'urn:oasis:names:tc:SAML:2.0:assertion';
export const SAMLP = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
export const DS = 'http://www.w3.org/2000/09/xmldsig#';
export const XENC = 'http://www.w3.org/2001/04/xmlenc#';

export const REDIRECT_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
export const POST_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
export const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
export const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
export const UNSPECIFIED_NAME_ID = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
export const EMAIL_NAME_ID = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

export const EXCLUSIVE_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const ENVELOPED_SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
export const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

/** Accepted signature algorithms (RFC 9231), with the type of key and the hash of each. SHA-1 and HMAC are not accepted. */
export const SIGNATURE_ALGORITHMS: Readonly<Record<string, { key: 'rsa' | 'ec'; hash: string }>> = {
  [RSA_SHA256]: { key: 'rsa', hash: 'sha256' },
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': { key: 'rsa', hash: 'sha384' },
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': { key: 'rsa', hash: 'sha512' },
  'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256': { key: 'ec', hash: 'sha256' },
  'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384': { key: 'ec', hash: 'sha384' },
  'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512': { key: 'ec', hash: 'sha512' },
};

/**
 * Accepted digest algorithms, with their names in node:crypto. SHA-384 has two identifiers (RFC 9231, XML Encryption 1.1).
 */
export const DIGEST_ALGORITHMS: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha384': 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
};

/**
 * Accepted algorithms for the key of an assertion. RSA 1.5 is not accepted, because its padding allows an oracle attack.
 */
export const KEY_ENCRYPTION: readonly string[] = [
  'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  'http://www.w3.org/2009/xmlenc11#rsa-oaep',
];

/**
 * Accepted algorithms for an assertion, and whether each detects a change of the ciphertext. Triple DES is not accepted.
 */
export const DATA_ENCRYPTION: Readonly<Record<string, { isAuthenticated: boolean }>> = {
  'http://www.w3.org/2009/xmlenc11#aes256-gcm': { isAuthenticated: true },
  'http://www.w3.org/2009/xmlenc11#aes128-gcm': { isAuthenticated: true },
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc': { isAuthenticated: false },
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc': { isAuthenticated: false },
};
