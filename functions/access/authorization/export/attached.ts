import { type ResourceRecord, resources } from '../resource/entity.ts';
import { resourceIdOfOrganization } from '../resource/rules.ts';

/** Maximum length of a chain, more than types allow: a longer chain is invalid. */
const MOST_ABOVE = 16;

/**
 * Resources of an organization with all resources above them. Resources below a deleted one, which a worker is about to
 * remove, do not exist for a check. The reads are strongly consistent: one BatchGetItem for each level and each hundred
 * resources. A row that was read is not read again.
 */
export class Attached {
  readonly #environmentId: string;
  readonly #organizationId: string;
  readonly #rows = new Map<string, ResourceRecord | undefined>();

  constructor(environmentId: string, organizationId: string) {
    this.#environmentId = environmentId;
    this.#organizationId = organizationId;
  }

  /** Returns those of some resources that exist, by their ids. */
  async find(ids: readonly string[]): Promise<Map<string, ResourceRecord>> {
    const root = resourceIdOfOrganization(this.#organizationId);
    let unread = this.#unreadOf(ids);
    for (let level = 0; unread.length > 0 && level < MOST_ABOVE; level += 1) {
      await this.#read(unread);
      const above = unread.flatMap((id) => this.#rows.get(id)?.parentId ?? []).filter((id) => id !== root);
      unread = this.#unreadOf(above);
    }
    return new Map(
      ids.flatMap((id) => {
        const row = this.#rows.get(id);
        return row !== undefined && this.#isAttached(row, root) ? [[id, row]] : [];
      }),
    );
  }

  #unreadOf(ids: readonly string[]): string[] {
    return [...new Set(ids)].filter((id) => !this.#rows.has(id));
  }

  async #read(ids: readonly string[]): Promise<void> {
    const found = new Map((await resources.getMany(this.#environmentId, ids)).map((row) => [row.id, row]));
    for (const id of ids) this.#rows.set(id, found.get(id));
  }

  #isAttached(row: ResourceRecord, root: string): boolean {
    let at: ResourceRecord | undefined = row;
    for (let level = 0; at !== undefined && level <= MOST_ABOVE; level += 1) {
      if (at.organizationId !== this.#organizationId) return false;
      if (at.parentId === root) return true;
      at = this.#rows.get(at.parentId);
    }
    return false;
  }
}
