/** A new authenticator app in the encrypted state of a sign-in. */
export interface StoredOffer {
  issuer: string;
  /** The secret in hexadecimal. */
  secret: string;
  base32: string;
  uri: string;
  recoveryCodes?: readonly string[] | undefined;
}
