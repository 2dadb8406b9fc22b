import { themeRules } from '../../../kernel/pages/theme/palette.ts';
import { pagesSettings } from '../../../kernel/pages/settings.ts';

/** The colours of the console in the tokens of the page kit, which derives borders and quiet text with enough contrast. */
const theme = () =>
  themeRules(
    pagesSettings.schema.parse({
      radius: 6,
      light: { accent: '#3451c6', background: '#f7f8fa', surface: '#ffffff', text: '#171a21' },
      dark: { accent: '#8fa8ff', background: '#0e1014', surface: '#15181e', text: '#e8eaef' },
    }),
  );

const RULES = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:4rem}
body{margin:0;background:var(--bg);color:var(--text);font:.875rem/1.5 var(--font);font-variant-numeric:tabular-nums;
-webkit-font-smoothing:antialiased;overflow-wrap:break-word}
:root{--mono:ui-monospace,'SF Mono','Cascadia Code',Menlo,Consolas,'DejaVu Sans Mono',monospace;--rail:14.5rem;--top:3rem}
a{color:var(--link);text-decoration:none}
a:hover{text-decoration:underline;text-underline-offset:.18em}
:focus-visible{outline:2px solid var(--ring);outline-offset:2px;border-radius:3px}
[tabindex="-1"]:focus{outline:none}
[hidden]{display:none!important}
.skip{position:absolute;left:-999rem}
.skip:focus{left:1rem;top:.6rem;z-index:9;padding:.4rem .8rem;background:var(--surface);border-radius:var(--radius);outline:2px solid var(--ring)}
.stripe{display:block;position:fixed;top:0;left:0;z-index:6;width:100%;height:3px}
.top{position:sticky;top:0;z-index:5;display:flex;align-items:center;gap:.75rem;height:var(--top);padding:3px 1rem 0;
background:var(--surface);border-bottom:1px solid var(--line)}
.top .home{display:flex;align-items:center;gap:.5rem;font-weight:650;letter-spacing:-.01em;color:var(--text)}
.top .home svg{width:1.15rem;height:1.15rem;color:var(--accent)}
.env{display:flex;align-items:center;gap:.45rem;min-width:0;padding:.2rem .55rem;border:1px solid var(--line);border-radius:var(--radius);
color:var(--text);font-weight:550;white-space:nowrap}
.env svg{width:.6rem;height:.6rem;flex:none}
.env span{overflow:hidden;text-overflow:ellipsis}
.top form.find{flex:1;max-width:32rem;margin:0 auto;position:relative}
.find input{width:100%;padding-right:4.2rem}
.find kbd{position:absolute;right:.5rem;top:50%;translate:0 -50%;pointer-events:none}
kbd{font:.72rem/1.4 var(--mono);padding:.05rem .35rem;border:1px solid var(--line);border-radius:4px;color:var(--muted);background:var(--bg)}
.top details{position:relative}
.top summary{list-style:none;cursor:pointer;display:grid;place-items:center}
.top summary::-webkit-details-marker{display:none}
.menu-of-operator{position:absolute;right:0;top:calc(100% + .5rem);width:15rem;padding:.5rem;background:var(--surface);
border:1px solid var(--line);border-radius:var(--radius);box-shadow:0 8px 28px -8px rgb(0 0 0/.28)}
.menu-of-operator p{margin:.2rem .5rem .5rem;color:var(--muted);font-size:.8rem;overflow-wrap:anywhere}
.menu-of-operator a,.menu-of-operator button{display:block;width:100%;text-align:left;padding:.35rem .5rem;border:0;border-radius:4px;
background:none;color:inherit;font:inherit;cursor:pointer}
.menu-of-operator a:hover,.menu-of-operator button:hover{background:var(--accent-soft);text-decoration:none}
.top .open-menu{display:none}
.sheet{display:grid;grid-template-columns:var(--rail) minmax(0,1fr)}
.sheet.bare{display:block;max-width:64rem;margin:0 auto}
.rail{position:sticky;top:var(--top);align-self:start;height:calc(100vh - var(--top));overflow-y:auto;padding:.75rem .6rem 2rem;
border-right:1px solid var(--line);scrollbar-width:thin}
.rail h2{margin:1.1rem .6rem .25rem;font-size:.72rem;font-weight:600;color:var(--muted);letter-spacing:.01em}
.rail ul{list-style:none;margin:0;padding:0}
.rail a{display:flex;justify-content:space-between;gap:.5rem;padding:.28rem .6rem;border-radius:5px;color:var(--text);line-height:1.45}
.rail a:hover{background:var(--accent-soft);text-decoration:none}
.rail a[aria-current]{background:var(--accent-soft);font-weight:600;color:var(--link)}
.rail .close{display:none}
main{min-width:0;padding:1.25rem clamp(1rem,2.4vw,2.25rem) 4rem;max-width:90rem}
.crumbs{display:flex;flex-wrap:wrap;gap:.15rem .4rem;margin:0 0 .35rem;font-size:.8rem;color:var(--muted)}
.crumbs a{color:var(--muted)}
.crumbs span{color:var(--line)}
h1{margin:0;font-size:1.375rem;line-height:1.3;letter-spacing:-.015em;font-weight:650;overflow-wrap:anywhere;text-wrap:balance}
.head{display:flex;align-items:center;gap:.85rem;margin-bottom:1.1rem;min-width:0}
.head>div{min-width:0}
.lead{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem;margin:.2rem 0 0;color:var(--muted)}
h2{margin:0;font-size:.94rem;line-height:1.4;font-weight:620;letter-spacing:-.005em}
h3{margin:1rem 0 .3rem;font-size:.82rem;font-weight:600;color:var(--muted)}
.panel{margin:0 0 1.1rem;background:var(--surface);border:1px solid var(--line);border-radius:calc(var(--radius)*1.35);min-width:0}
.panel>header{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.3rem .8rem;padding:.6rem .9rem;
border-bottom:1px solid var(--line)}
.panel>header .more{font-size:.8rem}
.panel>.pad,.panel>.empty,.panel>.out{padding:.75rem .9rem;margin:0}
.panel>.facts{padding:.35rem .9rem .55rem}
.columns{display:grid;gap:0 1.1rem;align-items:start}
@media (min-width:72rem){.columns{grid-template-columns:minmax(0,5fr) minmax(0,3fr)}}
.empty,.out,.hint{color:var(--muted)}
.hint{font-size:.82rem;margin:.25rem 0}
.hint a,.said a,.timeline small a{text-decoration:underline}
.table{overflow-x:auto}
table{width:100%;border-collapse:collapse}
th,td{padding:.42rem .9rem;text-align:left;vertical-align:baseline;border-top:1px solid var(--line)}
thead th{border-top:0;font-size:.76rem;font-weight:550;color:var(--muted);white-space:nowrap}
tbody tr:hover{background:var(--field)}
td.n,th.n{text-align:right}
td.when{color:var(--muted);min-width:6.9rem}
td,dd,h1,h2,.lead>*{unicode-bidi:isolate}
td small{color:var(--muted);font-size:.8rem;display:block}
time{white-space:nowrap}
td time,dd time,.lead time,time.at{white-space:normal}
code,.mono{font-family:var(--mono);font-size:.8rem}
code{overflow-wrap:anywhere}
.id{color:var(--muted);white-space:nowrap;overflow-wrap:normal}
pre{margin:0;padding:.7rem .9rem;overflow:auto;max-height:34rem;font-size:.8rem;line-height:1.55;background:var(--field);tab-size:2}
pre code{overflow-wrap:normal}
.facts{margin:0;display:grid}
.facts>div{display:grid;grid-template-columns:minmax(5.5rem,1fr) 3fr;gap:.1rem 1rem;padding:.33rem 0;border-top:1px solid var(--line)}
.facts>div:first-child{border-top:0}
.facts dt{color:var(--muted)}
.facts dd{margin:0;min-width:0;overflow-wrap:anywhere}
.facts dd .id{white-space:normal;overflow-wrap:anywhere}
.panel{container-type:inline-size}
@container (max-width:34rem){.facts .facts>div{grid-template-columns:1fr}}
.facts dd .facts{border-left:2px solid var(--line);padding-left:.7rem}
.badge{display:inline-flex;align-items:center;gap:.35rem;padding:.02rem .5rem;border:1px solid var(--line);border-radius:1rem;
font-size:.76rem;font-weight:550;line-height:1.5;white-space:nowrap;color:var(--muted)}
.badge::before{content:"";width:.42rem;height:.42rem;border-radius:50%;background:currentColor}
.badge.plain::before{display:none}
.badge.good{color:var(--success)}
.badge.bad{color:var(--danger)}
.badge.wait{color:var(--link)}
.badge.ask{color:light-dark(#8a5200,#f2bc66)}
.remedy{margin-top:.25rem}
.remedy .button{min-height:1.75rem;padding:.1rem .6rem;font-size:.8rem}
.tags{display:flex;flex-wrap:wrap;gap:.2rem .3rem}
.avatar{flex:none;display:inline-grid;place-items:center;width:1.6rem;height:1.6rem;border-radius:50%;font-size:.68rem;font-weight:650;
letter-spacing:.01em;background:var(--accent-soft);color:var(--link)}
.avatar.big{width:2.5rem;height:2.5rem;font-size:.95rem}
.who{display:flex;align-items:center;gap:.6rem;min-width:0}
.who>span:last-child{min-width:0}
.count{display:inline-block;min-width:1.35rem;padding:0 .35rem;border-radius:1rem;background:var(--accent-soft);color:var(--link);
font-size:.74rem;font-weight:600;text-align:center}
.bar{display:flex;flex-wrap:wrap;align-items:end;gap:.5rem .6rem;margin:0 0 .9rem}
.bar label,.field{display:grid;gap:.2rem;font-size:.78rem;color:var(--muted);min-width:0}
.bar label.wide{flex:1 1 14rem}
input,select,textarea{font:inherit;color:var(--text);background:var(--surface);border:1px solid var(--control);border-radius:var(--radius);
padding:.32rem .6rem;min-height:2rem;min-width:0;max-width:100%}
input[type=checkbox]{min-height:0;width:1rem;height:1rem;vertical-align:middle}
textarea{min-height:6rem;font-family:var(--mono);font-size:.8rem}
input::placeholder{color:var(--muted);opacity:1}
.button{display:inline-flex;align-items:center;justify-content:center;gap:.4rem;min-height:2rem;padding:.3rem .8rem;font:inherit;font-weight:550;
border:1px solid var(--control);border-radius:var(--radius);background:var(--surface);color:var(--text);cursor:pointer;white-space:nowrap}
.button:hover{background:var(--accent-soft);text-decoration:none}
.button.main{background:var(--accent);color:var(--on-accent);border-color:transparent}
.button.main:hover{background:var(--accent-strong)}
.button.danger{color:var(--danger);border-color:currentColor}
.button.main.danger{background:var(--danger);color:var(--surface);border-color:transparent}
.copy{font:.74rem/1.4 var(--font);padding:.02rem .4rem;margin-left:.4rem;border:1px solid var(--line);border-radius:4px;background:var(--surface);
color:var(--muted);cursor:pointer;vertical-align:1px;white-space:nowrap}
td .button{min-height:1.75rem;padding:.1rem .6rem;font-size:.8rem}
.copy:hover{color:var(--text)}
td .copy{opacity:0}
tr:hover .copy,.copy:focus{opacity:1}
.pager{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem;padding:.6rem .9rem;border-top:1px solid var(--line);color:var(--muted);font-size:.82rem}
.pager span{flex:1}
details.act{display:inline-block;max-width:100%}
details.act>summary{list-style:none;display:inline-flex}
details.act>summary::-webkit-details-marker{display:none}
iframe.preview{display:block;border:0}
main>details.act{margin-bottom:.9rem}
details.act[open]{display:block;width:100%;padding:.75rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--field)}
details.act[open]>summary{font-size:0;gap:0;background:var(--surface);color:var(--text);border-color:var(--control)}
details.act[open]>summary::after{content:"Cancel";font-size:.875rem}
details.act form{display:grid;gap:.6rem;margin-top:.7rem;max-width:32rem}
details.act p{margin:0}
.actions{display:flex;flex-wrap:wrap;align-items:start;gap:.5rem}
td .actions{justify-content:flex-end}
.calls{margin:1.6rem 0 0;border:1px solid var(--line);border-radius:calc(var(--radius)*1.35);background:var(--surface)}
.calls>summary{padding:.55rem .9rem;cursor:pointer;font-weight:550;color:var(--muted)}
.calls>.hint{padding:0 .9rem}
.call{border-top:1px solid var(--line);padding:.5rem .9rem .8rem}
.call pre{margin-top:.35rem;border-radius:var(--radius)}
.notice,.alert{margin:0 0 1rem;padding:.55rem .9rem;border:1px solid currentColor;border-radius:var(--radius);font-weight:520}
.notice{background:var(--success-soft);color:var(--success)}
.alert{background:var(--danger-soft);color:var(--danger)}
.timeline{list-style:none;margin:0;padding:.2rem .9rem .6rem}
.timeline li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.1rem 1rem;padding:.42rem 0 .42rem 1.05rem;border-left:1px solid var(--line);position:relative}
.timeline li::before{content:"";position:absolute;left:-.25rem;top:.95rem;width:.45rem;height:.45rem;border-radius:50%;background:var(--control)}
.timeline li.bad::before{background:var(--danger)}
.timeline li.good::before{background:var(--success)}
.timeline small{grid-column:1/-1;color:var(--muted);font-size:.8rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));gap:.8rem;margin:0 0 1.2rem;padding:0;list-style:none}
.tile{display:block;height:100%;padding:.9rem 1rem;background:var(--surface);border:1px solid var(--line);border-radius:calc(var(--radius)*1.35);color:inherit}
a.tile:hover{border-color:var(--control);text-decoration:none}
.tile strong{display:flex;align-items:center;gap:.5rem;font-weight:620}
.tile strong svg{width:.7rem;height:.7rem}
.tile p{margin:.3rem 0 0;color:var(--muted);font-size:.82rem}
.attention{list-style:none;margin:0;padding:0}
.attention li{display:flex;flex-wrap:wrap;gap:.2rem .7rem;padding:.55rem .9rem;border-top:1px solid var(--line)}
.attention li:first-child{border-top:0}
.tabs{display:flex;gap:.2rem 1.1rem;flex-wrap:wrap;margin:0 0 1rem;padding:0;list-style:none;border-bottom:1px solid var(--line)}
.tabs a{display:block;padding:.35rem 0 .45rem;color:var(--muted);margin-bottom:-1px;border-bottom:2px solid transparent}
.tabs a[aria-current]{color:var(--text);border-color:var(--accent);font-weight:560}
.narrow{max-width:26rem;margin:12vh auto 0;padding:0 1rem}
dialog{width:min(38rem,calc(100vw - 2rem));margin:12vh auto 0;padding:0;border:1px solid var(--line);border-radius:10px;background:var(--surface);
color:inherit;box-shadow:0 24px 64px -12px rgb(0 0 0/.45)}
dialog::backdrop{background:rgb(10 12 16/.38)}
dialog input{width:100%;border:0;border-bottom:1px solid var(--line);border-radius:0;padding:.85rem 1rem;font-size:1rem;background:none}
dialog input:focus-visible{outline:none;border-color:var(--ring)}
dialog ul{list-style:none;margin:0;padding:.4rem;max-height:22rem;overflow-y:auto}
dialog li{display:flex;justify-content:space-between;gap:1rem;padding:.42rem .65rem;border-radius:5px;cursor:pointer}
dialog li small{color:var(--muted);white-space:nowrap}
dialog li[aria-selected=true]{background:var(--accent-soft)}
dialog p{margin:0;padding:.5rem 1rem;color:var(--muted);font-size:.78rem;border-top:1px solid var(--line)}
@media (min-width:40.01rem){
.table:has(.act[open]){overflow:visible}
.panel:has(.act[open]){position:relative;z-index:3}
td details.act[open]{display:inline-block;width:auto;padding:0;border:0;background:none;position:relative}
td details.act[open]>form{position:absolute;right:0;top:100%;z-index:4;width:22rem;margin:.35rem 0 0;padding:.9rem;white-space:normal;
background:var(--surface);border:1px solid var(--control);border-radius:calc(var(--radius)*1.35);box-shadow:0 12px 36px -10px rgb(0 0 0/.35)}
}
@media (max-width:56rem){
.sheet{display:block}
.rail{display:none}
.rail:target{display:block;position:fixed;inset:0;z-index:8;height:auto;background:var(--bg);border:0;padding:1rem}
.rail .close{display:inline-flex}
.top .open-menu{display:inline-flex}
.top .home span,.find kbd{display:none}
.find input{padding-right:.6rem}
}
@media (max-width:40rem){
html{scroll-padding-top:7rem}
main{padding:1rem .8rem 3rem}
.top{gap:.45rem;padding:.4rem .7rem;flex-wrap:wrap;height:auto}
.top form.find{order:9;flex-basis:100%;max-width:none}
.top details{margin-left:auto}
.env{max-width:10rem}
.table thead{display:none}
.table tr{display:block;padding:.45rem 0;border-top:1px solid var(--line)}
.table tbody tr:first-child{border-top:0}
.table table,.table tbody{display:block}
.table td{display:flow-root;padding:.14rem .9rem;border:0;text-align:right;overflow-wrap:anywhere}
.table td::before{content:attr(data-l);color:var(--muted);float:left;margin-right:1rem}
.table td:first-child{text-align:left}
.table td:first-child::before{display:none}
.table td:empty{display:none}
.id{white-space:normal;overflow-wrap:anywhere}
td .copy{opacity:1}
.facts>div{grid-template-columns:1fr}
.timeline li{grid-template-columns:1fr}
input,select{font-size:1rem}
}
@media (prefers-reduced-motion:no-preference){.button,.rail a,.tile{transition:background-color .1s,border-color .1s}}
@media (forced-colors:active){a{text-decoration:underline}.tabs a{border-color:Canvas}.tabs a[aria-current]{border-color:Highlight}.badge,.button,.panel,.tile{border:1px solid}.badge::before{background:CanvasText}}
@media print{.top,.rail,.calls,.bar,.pager,.copy,.actions{display:none}.sheet{display:block}body{background:#fff}.panel{break-inside:avoid}}
`;

let sheet: string | undefined;

/** The one style sheet of the console. It is made at the first use. */
export const readStyle = (): string => (sheet ??= theme() + RULES.replaceAll('\n', ''));
