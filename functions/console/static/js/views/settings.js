// What is tracked for a brand and how: its names, models and schedule, its prompts and tags, and the groups and webhooks of the workspace.
import { get, post, remove } from "../api.js";
import { Confirmation } from "../components/controls.js";
import { Empty, Failure } from "../components/states.js";
import { plural } from "../format.js";
import { useAction, useResource } from "../resource.js";
import { open } from "../router.js";
import { forgetUnsaved } from "../unsaved.js";
import { html, useState } from "../view.js";
import { Brand } from "./settings/brand.js";
import { Groups } from "./settings/groups.js";
import { NameRequest } from "./settings/name.js";
import { Prompts, Tags } from "./settings/prompts.js";
import { Webhooks } from "./settings/webhooks.js";

export function SettingsView(props) {
  return props.workspace.mayWrite ? html`<${Settings} ...${props} />` : html`<${Empty}>This key may only read, so it changes no settings.<//>`;
}

function Settings({ entity, workspace, reload, checks, reloadChecks }) {
  const tags = useResource((signal) => get("/tags", {}, signal), []);
  return html`<${Check} entity=${entity} checks=${checks} reloadChecks=${reloadChecks} />
    <${Prompts} entity=${entity} tags=${tags} workspace=${workspace} />
    ${workspace.mayManage && html`<${Tags} tags=${tags} />`}
    <${Brand} entity=${entity} workspace=${workspace} reload=${reload} />
    <${NameRequest} entity=${entity} />
    ${workspace.mayManage && html`<${Groups} entity=${entity} workspace=${workspace} />`}
    ${workspace.mayManage && html`<${Webhooks} entity=${entity} />`}
    <${End} entity=${entity} reload=${reload} />`;
}

/** Starts a check now. */
function Check({ entity, checks, reloadChecks }) {
  const action = useAction();
  const isBusy = Boolean(checks?.isProcessing || checks?.queued);
  const start = () => action.run(async () => { await post("/entities/run-check", { entityId: entity.id }); reloadChecks(); });
  return html`<section class="card"><header><h3>Checks</h3></header>
    <p>${!entity.isActive ? "Checks are paused." : checks?.scheduled === false ? "No check is scheduled." : `Every ${plural(entity.frequencyHours, "hour")}.`} A check asks each active prompt of each model and costs credits.</p>
    ${action.error && html`<${Failure} error=${action.error} />`}
    <div class="row"><button disabled=${isBusy || action.isRunning} onClick=${start}>${isBusy ? "A check is running" : "Run a check now"}</button></div></section>`;
}

function End({ entity, reload }) {
  const [isAsking, setAsking] = useState(false);
  const action = useAction();
  const end = async () => { if (await action.run(() => remove("/entities", { entityId: entity.id }))) { forgetUnsaved(); open([]); reload(); } };
  return html`<section class="card"><header><h3>Stop tracking</h3></header><p>Deletes ${entity.name} with its prompts, answers and figures.</p>
    <div class="row"><button class="danger" onClick=${() => setAsking(true)}>Delete ${entity.name}</button></div>
    ${isAsking && html`<${Confirmation} title=${`Delete ${entity.name}`} text="This cannot be undone." action=${action} confirm=${end} close=${() => setAsking(false)} />`}</section>`;
}
