import table from './change-table.json' with { type: 'json' };

/**
 * The kind of a member in a form: one of several values, or a type. `lines` is a list of texts, `map` an object whose members are
 * removed by null, `json` any other value, `secret` a text that no response shows. A `?` at the end means that null resets the member.
 */
export type FieldKind = readonly string[] | string;

/** A change that a form can make, of a version that was read before. */
export interface ChangeEntry {
  /** The operation that reads what is changed. */
  read: string;
  /** True if members that are not sent return to their default, so that a form sends all of them. */
  whole: boolean;
  /** True if the API can rehearse the change. */
  rehearsed: boolean;
  /** The groups in which members that are not sent are unchanged; any other group is replaced as a whole. */
  merged?: readonly string[];
  /** The members of the body by their path, such as `methods.password`. */
  fields: Readonly<Record<string, FieldKind>>;
}

/**
 * The fields of the changes that are made of a version, by the id of the operation. `npm run openapi` writes the table from the registry,
 * so that a form has exactly the members of the API. It is a file of its own, since only pages with such a form load it.
 */
export const CHANGES = table as unknown as Readonly<Record<string, ChangeEntry>>;
