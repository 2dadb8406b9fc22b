import { awaitAll } from '../../kernel/concurrency.ts';
import type { ConsolePage } from './page/declare.ts';

/**
 * The pages in the order of the menu, by parts. A deployed function loads a part with the first request for one of its pages
 * (`lib/stack/sections.ts`); menu, router and palette read the index of all pages (`page-index.ts`).
 */
const SECTIONS = {
  start: async () => (await import('./start/pages.ts')).startPages,
  users: async () => (await import('./people/pages.ts')).userPages,
  organizations: async () => (await import('./organizations/pages.ts')).organizationPages,
  invitations: async () => (await import('./people/invitations.ts')).invitationPages,
  'sign-in': async () => (await import('./sign-in/pages.ts')).signInPages,
  access: async () => (await import('./access/pages.ts')).accessPages,
  activity: async () => (await import('./activity/pages.ts')).activityPages,
  secrets: async () => (await import('./secrets/pages.ts')).secretPages,
  agents: async () => (await import('./agents/pages.ts')).agentPages,
  settings: async () => (await import('./settings/pages.ts')).settingsPages,
  operators: async () => (await import('./operators/pages.ts')).operatorPages,
  stage: async () => (await import('./stage/pages.ts')).stagePages,
  proposals: async () => (await import('./stage/proposals.ts')).proposalPages,
} as const satisfies Record<string, () => Promise<readonly ConsolePage[]>>;

/** The name of a part of the console. */
export type SectionName = keyof typeof SECTIONS;

/** Loads the pages of one part. */
export const loadSection = (name: SectionName): Promise<readonly ConsolePage[]> => SECTIONS[name]();

/** Loads every part, in the order of the menu. */
export const loadSections = async (): Promise<{ section: SectionName; pages: readonly ConsolePage[] }[]> =>
  awaitAll(
    (Object.keys(SECTIONS) as SectionName[]).map(async (section) => ({ section, pages: await loadSection(section) })),
  );
