/**
 * What a data key belongs to. The three are the encryption context: they appear in KMS's audit log in plain text,
 * so none may hold a secret.
 */
export interface KeyScope {
  environmentId: string;
  organizationId?: string;
  /** What is sealed, for example `webhook-secret` or `vault`. A data key serves one purpose. */
  purpose: string;
  /** What else the key is bound to, in any order: the context of a vault object. */
  context?: Readonly<Record<string, string>>;
}

/** A context whatever its order: its pairs by name. */
export const sortedPairs = (context: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(context).sort(([one], [other]) => (one < other ? -1 : 1));

/** A fresh data key, in plain and as it may be stored. */
export interface DataKey {
  /** 32 bytes. The receiver owns them and overwrites them. */
  plaintext: Uint8Array;
  /** At most 65,535 bytes. */
  wrapped: Uint8Array;
}

/** Who makes data keys and opens them again: KMS, a customer's key, an organization's key in its own table. */
export interface KeyWrapper<Scope extends KeyScope = KeyScope> {
  /** @throws KeyServiceUnavailable, KeyRefused */
  generate(scope: Scope): Promise<DataKey>;
  /**
   * The data key in plain, for the very scope it was made for.
   * @throws SealedValueError when it was not made for the scope, or not here; KeyServiceUnavailable, KeyRefused
   */
  unwrap(scope: Scope, wrapped: Uint8Array): Promise<Uint8Array>;
}
