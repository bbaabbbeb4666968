// title: The five factors of Sem(root, class) and their weighted sum: paper 000, Eqs. (1) to (3); algorithms.md 2.4
// internal: kg.weights
// param: rows list required {class, distance, weaker, ancestors}; distance null where no path leads to the root
// param: ontology text required IRI of the ontology
// param: root text required class of the root
// param: above list required classes above the root, itself included
// param: widest integer required largest number of direct children in the ontology
// param: alpha number 1.0 the alpha of IF_Dis
// param: strong number 0.8 weight of the stronger kind of edge
// param: weak number 0.6 weight of the weaker kind of edge
// param: c_distance number 0.7 coefficient of IF_Dis
// param: c_density number 0.04 coefficient of IF_Den
// param: c_depth number 0.11 coefficient of IF_Dep
// param: c_coincidence number 0.03 coefficient of IF_Coi
// param: c_relation number 0.12 coefficient of IF_Rel
// returns: class, weight, distance, density, depth, coincidence, relation
MATCH (:Concept {iri: $root})-[top:IN_ONTOLOGY]->(:Ontology {iri: $ontology})
UNWIND $rows AS row
MATCH (:Concept {iri: row.class})-[own:IN_ONTOLOGY]->(:Ontology {iri: $ontology})
WITH row, top.depth AS root_depth, own.depth AS own_depth, [x IN row.ancestors WHERE x IN $above] AS common
UNWIND CASE WHEN size(common) = 0 THEN [''] ELSE common END AS shared
OPTIONAL MATCH (:Concept {iri: shared})-[lca:IN_ONTOLOGY]->(:Ontology {iri: $ontology})
WITH row, root_depth, own_depth, common, shared, lca.depth AS lca_depth, lca.children AS lca_children
ORDER BY row.class, lca_depth DESC, lca_children DESC, shared
WITH row, root_depth, own_depth, common, collect(lca_depth) AS lca_depths, collect(lca_children) AS lca_children
WITH row, row.class = $root AS same,
     CASE WHEN row.distance IS NULL THEN 0.0 ELSE $alpha / ($alpha + row.distance) END AS distance,
     CASE WHEN size(common) = 0 THEN 0.0 ELSE (1.0 + lca_children[0]) / (1.0 + $widest) END AS density,
     CASE WHEN size(common) = 0 THEN 0.0 ELSE 2.0 * lca_depths[0] / (root_depth + own_depth) END AS depth,
     1.0 * size(common) / (size(row.ancestors) + size($above) - size(common)) AS coincidence,
     CASE WHEN row.distance IS NULL OR row.distance = 0 THEN 0.0
          ELSE exp((row.weaker * log($weak) + (row.distance - row.weaker) * log($strong)) / row.distance)
     END AS relation
WITH row.class AS class,
     CASE WHEN same THEN 1.0 ELSE distance END AS distance,
     CASE WHEN same THEN 1.0 ELSE density END AS density,
     CASE WHEN same THEN 1.0 ELSE depth END AS depth,
     CASE WHEN same THEN 1.0 ELSE coincidence END AS coincidence,
     CASE WHEN same THEN 1.0 ELSE relation END AS relation
RETURN class,
       $c_distance * distance + $c_density * density + $c_depth * depth
         + $c_coincidence * coincidence + $c_relation * relation AS weight,
       distance, density, depth, coincidence, relation
ORDER BY class
