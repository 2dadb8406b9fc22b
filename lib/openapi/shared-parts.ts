import { createHash } from 'node:crypto';

import type { JsonSchema } from '../../functions/faces/reference/document/format.ts';

/** The name of a part in `components`, if it is described there. */
export interface PartName {
  name: string;
  /** Appended if several parts have the name. Without it, or if it is not unique, a digest of the part is appended. */
  variant?: string | undefined;
  /** True if the part is in `components` although only one operation has it. */
  always?: boolean;
}

interface Part extends PartName {
  text: string;
  node: JsonSchema;
  uses: JsonSchema[];
}

/**
 * Describes parts that several operations share, such as a parameter or an error response, once in `components`, with a
 * reference from each operation. A part that only one operation has is described in the operation.
 */
export class SharedParts {
  readonly #section: string;
  readonly #parts = new Map<string, Part>();

  /** @param section The member of `components`: `parameters` or `responses`. */
  constructor(section: string) {
    this.#section = section;
  }

  /** A copy of the part for one operation. {@link finish} may replace its content by a reference. */
  use(node: JsonSchema, named: PartName): JsonSchema {
    const text = JSON.stringify(node);
    const part = this.#parts.get(text) ?? { ...named, text, node, uses: [] };
    this.#parts.set(text, part);
    const own = { ...node };
    part.uses.push(own);
    return own;
  }

  /** Replaces the uses of shared parts by references, and returns these parts by name, sorted. */
  finish(): Record<string, JsonSchema> {
    const shared = [...this.#parts.values()].filter(({ always, uses }) => always === true || uses.length > 1);
    const named = shared.map((part) => {
      const name = uniqueName(
        part,
        shared.filter((other) => other !== part && other.name === part.name),
      );
      for (const use of part.uses) {
        for (const key of Object.keys(use)) delete use[key];
        use.$ref = `#/components/${this.#section}/${name}`;
      }
      return [name, part.node] as const;
    });
    return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/**
 * The name of a part in `components`.
 * @param others the other parts of the same name
 */
function uniqueName({ name, variant, text }: Part, others: readonly Part[]): string {
  if (others.length === 0) return name;
  if (variant !== undefined && others.every((other) => other.variant !== variant)) return `${name}.${variant}`;
  // A digest does not depend on other operations, as a number would.
  return `${name}.${createHash('sha256').update(text).digest('hex').slice(0, 6)}`;
}
