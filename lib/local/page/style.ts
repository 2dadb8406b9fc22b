/** The style of the pages at `/_local`, on the variables of the theme. */
export const STYLE = `
*,*::before,*::after{box-sizing:border-box;min-width:0}
body{margin:0;background:var(--bg);color:var(--text);font:.95rem/1.5 var(--font);overflow-wrap:anywhere}
a{color:var(--link);text-underline-offset:.18em}
:focus-visible{outline:3px solid var(--ring);outline-offset:2px}
main:focus{outline:none}
[hidden]{display:none!important}
.skip{position:absolute;left:-999rem}
.skip:focus{left:1rem;top:1rem;z-index:9;padding:.5rem .9rem;background:var(--surface);border-radius:var(--radius)}
header{position:sticky;top:0;z-index:5;display:flex;flex-wrap:wrap;align-items:center;gap:.4rem 1.4rem;padding:.6rem 1.25rem;
background:var(--surface);border-bottom:1px solid var(--line)}
.name{display:flex;align-items:center;gap:.55rem;margin:0;font-weight:650}
.name small{color:var(--muted);font-weight:450}
.mark{display:grid;place-items:center;width:1.9rem;height:1.9rem;border-radius:calc(var(--radius)*.7);background:var(--accent);
color:var(--on-accent);font-weight:700}
nav{display:flex;flex-wrap:wrap;gap:.15rem .3rem}
nav a{padding:.3rem .6rem;border-radius:var(--radius);text-decoration:none;color:var(--muted)}
nav a:hover{background:var(--accent-soft)}
nav [aria-current]{background:var(--accent-soft);color:var(--link);font-weight:600}
.clock{position:relative;margin-left:auto}
.clock>summary{padding:.35rem .7rem;border:1px solid var(--line);border-radius:var(--radius);font-variant-numeric:tabular-nums}
.clock .label{color:var(--muted)}
.clock>.sheet{position:absolute;right:0;z-index:6;width:min(22rem,calc(100vw - 2rem));margin-top:.4rem;padding:.9rem;
background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);box-shadow:0 12px 32px -12px rgb(0 0 0/.35)}
.clock .sheet form{display:flex;flex-wrap:wrap;gap:.4rem;margin-bottom:.6rem}
.state{font-weight:560;color:var(--muted)}
.state.moved{color:var(--danger)}
main{max-width:90rem;margin:0 auto;padding:1.25rem}
h1{margin:0 0 .6rem;font-size:1.4rem;letter-spacing:-.015em;line-height:1.25}
h2{margin:0 0 .6rem;font-size:1.05rem}
h3{margin:0;font-size:1rem}
.lead{margin:0 0 1rem;color:var(--muted)}
.columns{display:grid;grid-template-columns:minmax(0,23rem) minmax(0,1fr);gap:1.25rem;align-items:start}
.side{display:grid;gap:1rem}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:1.5rem;align-items:start}
.card,.side>section,.timeline,.rows{background:var(--surface);border:1px solid var(--line);border-radius:calc(var(--radius)*1.2)}
.card,.side>section,.timeline{padding:1rem 1.1rem}
.card{margin:0}
section>.card,.pair .card{margin-top:1rem}
.narrow{max-width:42rem;margin-top:1rem}
form.card{display:grid;gap:.75rem}
form.card .main{justify-self:start}
details.card{margin-bottom:1rem}
details.card>summary{font-weight:560;cursor:pointer}
details.card>form{margin:1rem 0 0;padding:0;border:0}
fieldset{margin:0;padding:.75rem;border:1px solid var(--line);border-radius:var(--radius)}
legend{padding:0 .35rem;font-weight:560}
form.inline{display:flex;flex-wrap:wrap;gap:.5rem .7rem;align-items:end;margin:0 0 .6rem}
form.inline label{flex:1 1 11rem}
.thirds{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.75rem}
label{display:grid;gap:.25rem;font-weight:560;font-size:.9rem}
label.check{display:flex;gap:.5rem;align-items:center;font-weight:450}
input:not([type=checkbox]),select,textarea{width:100%;min-height:2.4rem;padding:.4rem .65rem;font:inherit;font-weight:450;color:inherit;
background:var(--field);border:1px solid var(--control);border-radius:var(--radius)}
input[type=color]{padding:.15rem;cursor:pointer}
input[type=checkbox]{width:1.15rem;height:1.15rem;accent-color:var(--accent)}
button{min-height:2.2rem;padding:.3rem .8rem;font:inherit;font-size:.9rem;font-weight:560;color:var(--text);cursor:pointer;
background:transparent;border:1px solid var(--control);border-radius:var(--radius)}
button:hover{background:var(--accent-soft)}
button.main{min-height:2.4rem;background:var(--accent);color:var(--on-accent);border-color:transparent}
button.main:hover{background:var(--accent-strong)}
button.bad{color:var(--danger);border-color:currentColor}
button.copy{min-height:1.6rem;padding:.05rem .5rem;font-size:.8rem}
dl{display:grid;gap:.5rem;margin:0 0 .8rem}
dl div{display:grid;grid-template-columns:5.5rem minmax(0,1fr);gap:.2rem .6rem;align-items:baseline}
dt{color:var(--muted)}
dd{display:flex;flex-wrap:wrap;gap:.3rem .5rem;align-items:baseline;margin:0}
.links{display:flex;flex-wrap:wrap;gap:.3rem 1rem;margin:.8rem 0 0}
.links a{padding:.2rem 0}
summary{cursor:pointer;padding:.15rem 0}
.file{display:flex;flex-wrap:wrap;gap:.3rem .6rem;align-items:start;margin:.35rem 0}.plain{display:inline-block;max-width:100%;vertical-align:top;margin-right:.4rem}
.plain[open]{flex:1 1 100%;margin-right:0}
.danger>summary{color:var(--danger);font-weight:560}
code,pre{font-family:ui-monospace,'Cascadia Code',Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:.86em}
pre{margin:.5rem 0;padding:.7rem .8rem;max-height:28rem;overflow:auto;white-space:pre-wrap;background:var(--field);
border:1px solid var(--line);border-radius:var(--radius)}
.hint,.quiet,.none,time{color:var(--muted)}
.hint{margin:.4rem 0;font-size:.88rem}
.none{margin:.4rem 0}
time{font-variant-numeric:tabular-nums}
.alert,.notice,.wrong{margin:0 0 1rem;padding:.6rem .85rem;border-radius:var(--radius);font-weight:520}
.alert,.wrong{background:var(--danger-soft);color:var(--danger)}
.wrong{margin:.3rem 0;padding:.35rem .6rem;font-size:.9rem}
.wrong a{color:inherit}
.alert,.notice{border:1px solid currentColor}
.notice{background:var(--success-soft);color:var(--success)}
.tabs{margin:.2rem 0 .6rem}
.tabs.small{font-size:.9rem}
.rows,ol#timeline,.effects,.attempts{list-style:none;margin:0;padding:0}
.rows:empty{display:none}
.rows>li{display:flex;flex-wrap:wrap;gap:.3rem .8rem;align-items:center;padding:.55rem .9rem}
.rows>li+li{border-top:1px solid var(--line)}
.grow{flex:1 1 16rem}
.side .rows{border:0}.side .rows>li{padding:.4rem 0}
.trace{padding:.6rem 0;border-top:1px solid var(--line)}
.head{display:flex;flex-wrap:wrap;gap:.15rem .7rem;align-items:baseline}
.what{flex:1 1 14rem}
.method{font-weight:650}
.status{font-weight:600;color:var(--success)}
.status.bad{color:var(--danger)}
.id{color:var(--muted);font-size:.9em}
.effects{margin:.3rem 0 0 .35rem;padding-left:.9rem;border-left:2px solid var(--line)}
.effect{padding:.15rem 0}
.tag{display:inline-block;min-width:4.2rem;color:var(--muted);font-size:.8rem}
.effect .sheet{padding:.2rem 0 .5rem}
.line{display:flex;flex-wrap:wrap;gap:.3rem .7rem;align-items:center;margin:.2rem 0}
.line>code{flex:0 1 auto}
.attempts{margin:.3rem 0}
.code{padding:.05rem .4rem;background:var(--accent-soft);border-radius:.3rem;font-size:1em;letter-spacing:.08em}
.big{font-size:1.7rem;letter-spacing:.14em}
.go{font-weight:600}
.use{margin-bottom:1rem}
.crumbs{margin:0 0 .3rem;color:var(--muted);font-size:.9rem}
.new{animation:appear 1.2s ease-out}
@keyframes appear{from{background:var(--accent-soft)}}
[data-show=effects] .trace:not([data-kinds~=effects]),[data-show=mail] .trace:not([data-kinds~=mail]),
[data-show=deliveries] .trace:not([data-kinds~=deliveries]),[data-show=trouble] .trace:not([data-kinds~=trouble]){display:none}
.frame{max-width:100%;margin:0 0 1rem;border:1px solid var(--line);border-radius:var(--radius);overflow:hidden;background:#fff}
.frame iframe{display:block;width:100%;height:44rem;border:0}
.previews{display:flex;flex-wrap:wrap;gap:1.25rem;align-items:start}
.preview{margin:0;max-width:100%}
.preview figcaption{margin-bottom:.3rem;color:var(--muted);font-size:.88rem}
.preview>div{overflow:hidden;max-width:100%;border:1px solid var(--line);border-radius:var(--radius)}
.preview iframe{display:block;border:0;transform-origin:0 0}
.p360 iframe{width:360px;height:46rem}
.p360>div{width:362px;overflow-x:auto}
.p1280 iframe{width:1280px;height:60rem;transform:scale(.5)}
.p1280>div{width:642px;height:30rem}
.w360{width:362px}
.w600{width:642px}
@media (max-width:56rem){.columns{grid-template-columns:minmax(0,1fr)}}
@media (max-width:30rem){header{position:static;padding:.6rem .8rem}main{padding:.8rem}.clock{margin-left:0;width:100%}
.clock>.sheet{position:static;width:auto}.tag{min-width:0}}
@media (prefers-reduced-motion:reduce){*{animation:none!important}}
@media (forced-colors:active){button,input,.card,nav [aria-current]{border:1px solid}}
`.replaceAll('\n', '');
