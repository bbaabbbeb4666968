// The explorer: each page names its view, whose module shows what the server's interface (/api) says.
import * as ask from "./ask.js";
import * as crawl from "./crawl.js";
import * as ontology from "./ontology.js";
import * as questions from "./questions.js";
import * as review from "./review.js";
import * as versions from "./versions.js";
import { say } from "./page.js";

const views = { ask, crawl, ontology, questions, review, versions };

views[document.body.dataset.view]?.start().catch((error) => say(error.message));
