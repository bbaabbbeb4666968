// The explorer: each page names its view, whose module shows what the server's interface (/api) says.
import * as ask from "./ask.js";
import * as coverage from "./coverage.js";
import * as crawl from "./crawl.js";
import * as crawl_begins from "./crawl_begins.js";
import * as crawl_new from "./crawl_new.js";
import * as crawl_page from "./crawl_page.js";
import * as gaps from "./gaps.js";
import * as lattice from "./lattice.js";
import * as ontology from "./ontology.js";
import * as questions from "./questions.js";
import * as review from "./review.js";
import * as settle from "./settle.js";
import * as table from "./table.js";
import * as topic_new from "./topic_new.js";
import * as versions from "./versions.js";
import { sayError } from "./page.js";

const views = {
  ask, coverage, crawl, crawl_begins, crawl_new, crawl_page, crawls: table, gaps, lattice, ontologies: table, ontology, overview: table, questions, review, settle,
  table, topic_new, versions,
};

views[document.body.dataset.view]?.start().catch(sayError);
