/**
 * The scope of a data key. The three members are the encryption context: they appear in KMS's audit log in plain text,
 * so none may contain a secret.
 */
export interface KeyScope {
  environmentId: string;
  organizationId?: string;
  /** The purpose of a data key, for example `webhook-secret` or `vault`: the kind of values that it encrypts, and no other. */
  purpose: string;
  /** Further pairs to which the key is bound, in any order: the context of a vault object. */
  context?: Readonly<Record<string, string>>;
}

declare const purposeMark: unique symbol;
/** The purpose of data keys under the stage's KMS key: only {@link keyPurpose} makes one. */
export type KeyPurpose = string & { readonly [purposeMark]: true };

/**
 * Declares a purpose by a literal. `npm run permissions` finds these calls in the sources: a function may use the stage's KMS key
 * only for the purposes that its own code names (lib/stack/README.md, "Permissions").
 */
export const keyPurpose = (name: string): KeyPurpose => name as KeyPurpose;

/** The scope of a data key under the stage's KMS key. */
export type StageKeyScope = KeyScope & { purpose: KeyPurpose };

/** The canonical form of a context: its pairs by name. */
export const sortedPairs = (context: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(context).sort(([one], [other]) => (one < other ? -1 : 1));

/** A new data key, in plain text and in its stored form. */
export interface DataKey {
  /** The key of 32 bytes, which the receiver owns and overwrites. */
  plaintext: Uint8Array;
  /** The encrypted key, at most 65,535 bytes. */
  wrapped: Uint8Array;
}

/** Generates and decrypts data keys, by KMS, by a customer's key, or by an organization's key in its own table. */
export interface KeyWrapper<Scope extends KeyScope = KeyScope> {
  /**
   * Generates a data key for a scope.
   * @throws KeyServiceUnavailable, KeyRejected
   */
  generate(scope: Scope): Promise<DataKey>;
  /**
   * Decrypts a data key for exactly its own scope.
   * @throws SealedValueError if it was made for another scope or elsewhere; KeyServiceUnavailable, KeyRejected
   */
  unwrap(scope: Scope, wrapped: Uint8Array): Promise<Uint8Array>;
}
