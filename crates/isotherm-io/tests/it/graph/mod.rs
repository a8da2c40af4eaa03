mod edges;
