import { systemActor } from '../../kernel/authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../kernel/authentication/environment-id.ts';
import { clock } from '../../kernel/clock.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import type { StageFinding } from '../attention/rules.ts';
import { EXAMINATION_KEY, examinations, findExamination } from './entity.ts';

/** The longest text of a finding in characters. */
const LONGEST = 1_000;

/** Stores what an examination of the stage found, in place of the former one. Findings that are `ok` are left out. */
export async function recordExamination(found: readonly StageFinding[]): Promise<void> {
  const findings = found
    .filter(({ state }) => state !== 'ok')
    .map(({ name, state, text }) => ({ name, state, text: text.slice(0, LONGEST).toWellFormed() }));
  await applyWork(OPERATORS_ENVIRONMENT_ID, systemActor, async (unit) => {
    const former = await findExamination();
    const content = { examinedAt: clock.timestamp(), findings };
    unit.stage(
      former === undefined
        ? examinations.create({ ...EXAMINATION_KEY, ...content }).write
        : examinations.revise(former, content).write,
    );
  });
}
