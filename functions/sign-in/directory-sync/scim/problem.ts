/** The types of SCIM errors (RFC 7644 section 3.12, RFC 9865 section 2.1). */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'invalidCursor'
  | 'invalidCount';

/** A rejected input of SCIM, thrown by the pure parts of this folder; operations turn it into their declared error. */
export class ScimProblem extends Error {
  override name = 'ScimProblem';
  readonly scimType: ScimType;

  /** @param detail A sentence for the administrator of the provider: what is wrong and what to do. */
  constructor(scimType: ScimType, detail: string) {
    super(detail);
    this.scimType = scimType;
  }
}
