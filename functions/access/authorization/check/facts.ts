import { awaitAll } from '../../../kernel/concurrency.ts';
import { LruMap } from '../../../kernel/memory.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import { findMembershipById, type OrganizationMembershipRecord } from '../../../tenancy/modules/memberships/public.ts';
import { findOrganization, type OrganizationSummary } from '../../../tenancy/organizations/public.ts';
import { loadModel, loadRoles, type Model, type OrganizationRoles } from '../../../tenancy/roles/public.ts';
import { type GroupGrant, readSheets } from '../../../tenancy/modules/role-holders/public.ts';
import { type Holdings, readHoldings, readHoldingsOn } from '../assignment/partition.ts';
import { type ResourceRecord, resources } from '../resource/entity.ts';
import { findByExternalId } from '../resource/find.ts';
import { notedPlace, notedResource } from '../resource/notes.ts';
import type { Named } from '../resource/schema.ts';
import { mayHaveSeveral } from './membership.ts';

/** A cached note about a membership that this instance has seen. It is only used to predict which rows to read. */
interface MembershipNote {
  organizationId: string;
  groups: readonly string[];
  grants: number;
  /** True if it had roles of the organization, and not only of the environment. */
  hasOwnRoles: boolean;
}

const notes = new LruMap<MembershipNote>(100_000);

/** Number of grants from which only those on the resource and above it are read, by a Query for each. */
const HEAVY = 250;

/** The rows that a wave of reads needs. */
export interface Needs {
  ids: Set<string>;
  places: Map<string, { typeSlug: string; externalId: string }>;
  sheets: Set<string>;
  organization: boolean;
  roles: boolean;
}

export const placeKey = (typeSlug: string, externalId: string): string => `${typeSlug} ${externalId}`;

export const noNeeds = (): Needs => ({
  ids: new Set(),
  places: new Map(),
  sheets: new Set(),
  organization: false,
  roles: false,
});

/**
 * The rows that were read for questions about one membership. Every read is strongly consistent and starts after the
 * call arrived. `undefined` in a map means that a row was read and does not exist.
 */
export class Facts {
  readonly environmentId: string;
  readonly membershipId: string;
  membership: OrganizationMembershipRecord | undefined;
  organization: OrganizationSummary | undefined;
  #model: Model | undefined;
  #own: OrganizationRoles | undefined;
  isMultiple = true;
  holdings: Holdings = { grants: [], groups: [] };
  /** The resources whose grants were read; undefined if all grants were read. */
  heldOn: Set<string> | undefined;
  readonly rows = new Map<string, ResourceRecord | undefined>();
  readonly places = new Map<string, ResourceRecord | undefined>();
  readonly sheets = new Map<string, readonly GroupGrant[]>();
  isOrganizationRead = false;
  /** Number of successive waves of reads so far. */
  waves = 0;

  constructor(environmentId: string, membershipId: string) {
    this.environmentId = environmentId;
    this.membershipId = membershipId;
  }

  get model(): Model {
    if (this.#model === undefined) throw new Error('The model is read in the first wave');
    return this.#model;
  }

  /** The organization's roles if they were read, otherwise the environment's. */
  get roles(): Pick<OrganizationRoles, 'roles' | 'rolesBySlug' | 'defaultRole'> {
    return this.#own ?? this.model;
  }

  get hasOwnRoles(): boolean {
    return this.#own !== undefined;
  }

  /** Reads the first wave: rows with known ids, and those that this instance's notes predict. */
  async begin(named: readonly Named[], { isWhole = false } = {}): Promise<void> {
    const { environmentId, membershipId } = this;
    const note = notes.get(`${environmentId} ${membershipId}`);
    const needs = noNeeds();
    const organizationId = note?.organizationId ?? guessOrganization(environmentId, named);
    const predicted = named.flatMap((each) => predict(environmentId, organizationId, each, needs));
    for (const id of note?.groups ?? []) needs.sheets.add(id);
    const isHeavy = !isWhole && (note?.grants ?? 0) > HEAVY;
    const on = isHeavy ? [...new Set([...needs.ids, ...predicted])] : undefined;
    this.heldOn = on && new Set(on);
    needs.organization = organizationId !== undefined;
    needs.roles = note?.hasOwnRoles === true;
    const [membership, model, held, isMultiple] = await readTogether(() =>
      awaitAll([
        findMembershipById(environmentId, membershipId),
        loadModel(environmentId),
        on === undefined ? readHoldings(environmentId, membershipId) : readHoldingsOn(environmentId, membershipId, on),
        mayHaveSeveral(environmentId),
        this.fetch(needs, organizationId),
      ]),
    );
    this.membership = membership;
    this.#model = model;
    this.holdings = held;
    this.isMultiple = isMultiple;
    if (membership?.organizationId !== organizationId) {
      // The prediction was for another organization, so its rows are ignored.
      this.organization = undefined;
      this.isOrganizationRead = false;
      this.#own = undefined;
      this.places.clear();
    }
  }

  /** Reads a further wave. */
  async fetch(needs: Needs, organizationId = this.membership?.organizationId): Promise<void> {
    const { environmentId } = this;
    this.waves += 1;
    const [ids, groups] = [[...needs.ids], [...needs.sheets]];
    const [rows, organization, own, sheets] = await readTogether(() =>
      awaitAll([
        resources.getMany(environmentId, ids),
        needs.organization && organizationId !== undefined
          ? findOrganization(environmentId, organizationId)
          : undefined,
        needs.roles && organizationId !== undefined ? loadRoles(environmentId, organizationId) : undefined,
        groups.length === 0 ? undefined : readSheets(environmentId, groups),
        ...[...needs.places].map(async ([key, { typeSlug, externalId }]) => {
          if (organizationId === undefined) return;
          this.places.set(key, await findByExternalId(environmentId, organizationId, typeSlug, externalId));
        }),
      ]),
    );
    for (const id of ids) this.rows.set(id, undefined);
    for (const row of rows) this.rows.set(row.id, row);
    if (needs.organization) [this.organization, this.isOrganizationRead] = [organization, true];
    if (own !== undefined) this.#own = own;
    for (const [id, grants] of sheets ?? []) this.sheets.set(id, grants);
  }

  /** Reads the grants on further resources, for a membership with many grants. */
  async readFurther(resourceIds: readonly string[]): Promise<void> {
    const held = await readHoldingsOn(this.environmentId, this.membershipId, resourceIds);
    this.holdings.grants.push(...held.grants);
    for (const id of resourceIds) this.heldOn?.add(id);
  }

  /**
   * Reports whether roles of the organization must be read: one of the membership or its groups is missing in those that
   * were read, or their order decides.
   */
  get needsOwnRoles(): boolean {
    if (this.#own !== undefined) return false;
    if (!this.isMultiple) return true;
    const { roles, rolesBySlug } = this.model;
    const named = [...this.holdings.grants, ...[...this.sheets.values()].flat()];
    const slugs = this.membership === undefined ? [] : listGivenSlugs(this.membership);
    return named.some(({ roleId }) => !roles.has(roleId)) || slugs.some((slug) => !rolesBySlug.has(slug));
  }

  /** Stores notes for the next call. */
  note(): void {
    if (this.membership === undefined) return;
    const { organizationId } = this.membership;
    const { groups, grants } = this.holdings;
    const count = this.heldOn === undefined ? grants.length : HEAVY + 1;
    const note = { organizationId, groups, grants: count, hasOwnRoles: this.#own !== undefined };
    notes.set(`${this.environmentId} ${this.membershipId}`, note);
  }
}

function guessOrganization(environmentId: string, named: readonly Named[]): string | undefined {
  for (const { resource_id: id } of named) {
    const note = id === undefined || id === null ? undefined : notedResource(environmentId, id);
    if (note !== undefined) return note.organizationId;
  }
  return undefined;
}

/**
 * Adds the rows that a question will probably need.
 * @returns the ids of further resources on which a grant may exist
 */
function predict(environmentId: string, organizationId: string | undefined, named: Named, needs: Needs): string[] {
  const { resource_id: id, resource_external_id: externalId, resource_type_slug: typeSlug } = named;
  if (id !== undefined && id !== null) {
    needs.ids.add(id);
    for (const ancestor of notedResource(environmentId, id)?.ancestors ?? []) needs.ids.add(ancestor);
    return [];
  }
  if (organizationId === undefined || externalId === undefined || typeSlug === undefined) return [];
  needs.places.set(placeKey(typeSlug, externalId), { typeSlug, externalId });
  const note = notedPlace(environmentId, organizationId, typeSlug, externalId);
  for (const ancestor of note?.ancestors ?? []) needs.ids.add(ancestor);
  return note === undefined ? [] : [note.id];
}

/** Slugs of the roles of the membership itself, including deleted ones. */
const listGivenSlugs = ({ roles, givenRoles }: OrganizationMembershipRecord): readonly string[] =>
  givenRoles === undefined ? roles : (givenRoles as { slug: string }[]).map(({ slug }) => slug);
