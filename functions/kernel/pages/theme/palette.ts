import type { PagesSettings } from '../settings.ts';
import { mix, readable, textOn } from './colour.ts';

type Scheme = PagesSettings['light'];

/** Fonts of the system, which need no download. */
const FONTS: Readonly<Record<PagesSettings['font'], string>> = {
  system: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  humanist: "Seravek, 'Gill Sans Nova', Ubuntu, Calibri, 'DejaVu Sans', source-sans-pro, sans-serif",
  geometric: "Avenir, Montserrat, Corbel, 'URW Gothic', source-sans-pro, sans-serif",
  rounded:
    "ui-rounded, 'Hiragino Maru Gothic ProN', Quicksand, Comfortaa, Manjari, 'Arial Rounded MT Bold', sans-serif",
  serif: "Charter, 'Bitstream Charter', 'Sitka Text', Cambria, Georgia, serif",
  mono: "ui-monospace, 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
};

/** The variables of one colour scheme: each derived colour has enough contrast on its background. */
function computeVariables({ accent, background, surface, text }: Scheme, danger: string, success: string): string {
  const behind = [surface, background];
  const variables = {
    bg: background,
    surface,
    text,
    accent,
    'on-accent': textOn(accent),
    'accent-strong': mix(accent, textOn(accent) === '#ffffff' ? '#000000' : '#ffffff', 0.14),
    'accent-soft': mix(surface, accent, 0.1),
    link: readable(accent, text, behind, 4.5),
    ring: readable(accent, text, behind, 3),
    muted: readable(mix(text, surface, 0.45), text, behind, 4.5),
    line: mix(surface, text, 0.12),
    control: readable(mix(surface, text, 0.4), text, behind, 3),
    field: mix(surface, text, 0.02),
    danger: readable(danger, text, [...behind, mix(surface, danger, 0.08)], 4.5),
    'danger-soft': mix(surface, danger, 0.08),
    success: readable(success, text, [...behind, mix(surface, success, 0.08)], 4.5),
    'success-soft': mix(surface, success, 0.08),
  };
  return Object.entries(variables)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}

const lightVariables = (scheme: Scheme): string => computeVariables(scheme, '#b42318', '#067647');
const darkVariables = (scheme: Scheme): string => computeVariables(scheme, '#ff8a80', '#6fd39b');

/** The style sheet's first rules: the environment's own choices. It contains only checked colours and names. */
export function themeRules(settings: PagesSettings): string {
  const { font_url: fontUrl } = settings;
  // The URL has no quotation mark, bracket or backslash, so it cannot end the text or the rule.
  const face = `@font-face{font-family:brand;src:url("${fontUrl}") format("woff2");font-weight:100 900;font-display:swap}`;
  return `${fontUrl === null ? '' : face}${variableRules(settings)}`;
}

function variableRules({ light, dark, font, font_url: fontUrl, radius, appearance }: PagesSettings): string {
  const shape = `--font:${fontUrl === null ? '' : 'brand, '}${FONTS[font]};--radius:${radius}px`;
  if (appearance === 'light') return `:root{color-scheme:light;${shape};${lightVariables(light)}}`;
  if (appearance === 'dark') return `:root{color-scheme:dark;${shape};${darkVariables(dark)}}`;
  return (
    `:root{color-scheme:light dark;${shape};${lightVariables(light)}}` +
    `@media (prefers-color-scheme:dark){:root{${darkVariables(dark)}}}`
  );
}
